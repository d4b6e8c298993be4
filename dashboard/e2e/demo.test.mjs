// The dashboard that `throughline demo` opens, with the week that it tells. Its pictures are those of the README.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { PROGRAM, browser, open } from './harness.mjs';

async function demo() {
  const child = spawn(PROGRAM, ['demo'], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface(child.stdout)) {
    const url = /^listening on (\S+)/.exec(line)?.[1];
    if (url) return { url, end: () => new Promise((resolve) => { child.once('exit', resolve); child.kill('SIGTERM'); }) };
  }
  throw new Error('the demo ended without a dashboard');
}

test('the demo is whole in light and dark', async () => {
  const { url, end } = await demo();
  const chrome = await browser();
  try {
    for (const scheme of ['light', 'dark']) {
      for (const [name, path, shows] of [['demo', '', 'Just happened'], ['demo-task', '/backlog/TASK-0003', 'Let customers retry a payment that timed out']]) {
        const { page, wrong, close } = await open(chrome, url, { scheme });
        await page.goto(`${url}/p/shop${path}`);
        await page.getByText(shows).first().waitFor();
        await page.waitForLoadState('networkidle');
        assert.deepEqual(wrong, []);
        if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}-${scheme}.png` });
        await close();
      }
    }
  } finally {
    await chrome.close();
    await end();
  }
});
