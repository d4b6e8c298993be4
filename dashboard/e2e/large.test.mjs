// A log of many events: the list of a page stays quick, whatever its length.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { browser, open, PROGRAM, serve } from './harness.mjs';
import { Place } from './seed.mjs';

/** 100,000 takes minutes to write with a build for debugging. */
const EVENTS = Number(process.env.EVENTS ?? 5000);
const BATCH = 5000;

let chrome, server, url, home;

before(async () => {
  home = mkdtempSync(join(tmpdir(), 'throughline-large-'));
  const place = new Place(PROGRAM, home);
  for (let from = 0; from < EVENTS; from += BATCH) {
    const events = Array.from({ length: Math.min(BATCH, EVENTS - from) }, (_, n) => ({ kind: 'read', session: 'long', client: 'codex', target: `src/file-${from + n}.rs`, summary: `read number ${from + n}` }));
    place.append(events, 'agent:codex');
  }
  ({ server, url } = await serve(place));
  chrome = await browser();
});
after(async () => {
  await chrome?.close();
  server?.kill('SIGTERM');
  if (server) await new Promise((resolve) => server.once('exit', resolve));
  rmSync(home, { recursive: true, force: true });
});

test('the timeline of a long session is read page by page to its end', { timeout: 600_000 }, async () => {
  const { page, wrong, close } = await open(chrome, url);
  await page.goto(`${url}/p/harbour/sessions`);
  await page.getByRole('link', { name: /long/ }).click();
  await page.getByText(`read number ${EVENTS - 1}`).waitFor();
  const list = page.getByRole('region', { name: 'Events' });
  await list.focus();
  const begun = Date.now();
  for (;;) {
    await page.keyboard.press('End');
    const rows = await list.locator('[data-row]').count();
    assert.ok(rows < 80, `${rows} rows are in the page`);
    if ((await page.getByText('read number 0', { exact: true }).count()) > 0) break;
    await page.waitForTimeout(20);
  }
  console.log(`${EVENTS} events: to the last one in ${Date.now() - begun} ms`);
  await page.keyboard.press('Home');
  await page.getByText(`read number ${EVENTS - 1}`).waitFor();
  assert.deepEqual(wrong, []);
  await close();
});
