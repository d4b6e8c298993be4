// What must be live is live on PostgreSQL too.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browser, open, start } from './harness.mjs';

const WITHIN_A_SECOND = 1000;
const database = process.env.TEST_POSTGRES;

test('what another process changes shows within a second on PostgreSQL', { skip: database === undefined && 'TEST_POSTGRES names no server', timeout: 240_000 }, async () => {
  const shop = await start({ database });
  const chrome = await browser();
  try {
    const { page, wrong } = await open(chrome, shop.url);
    await page.goto(`${shop.url}/p/harbour/working-set?agent=codex`);
    await page.locator('.live[data-state=live]').waitFor();
    shop.place.run(['set', 'save', 'ERROR', 'the receipt had no tax line', '--importance', '0.97', '--agent', 'codex']);
    const since = Date.now();
    await page.getByText('the receipt had no tax line').waitFor({ timeout: WITHIN_A_SECOND });
    console.log(`shown ${Date.now() - since} ms after the other process had ended`);
    assert.deepEqual(wrong, []);
  } finally {
    await chrome.close();
    await shop.end();
  }
});
