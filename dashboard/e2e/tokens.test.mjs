// A server that wants to know who comes in: the page asks for a token, and everything works with it, the live view too.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { browser, open, serve, start, violations } from './harness.mjs';

let chrome, shop, guarded, token;

before(async () => {
  shop = await start();
  token = shop.place.run(['token', 'create', 'viewer', '--role', 'read']).token;
  shop.place.tell(['config', 'set', 'server.require_token', 'true']);
  guarded = await serve(shop.place);
  chrome = await browser();
});
after(async () => {
  await chrome?.close();
  guarded?.server.kill('SIGTERM');
  await shop?.end();
});

test('a token is asked for, kept in the tab, and enough for all', async () => {
  const { page, close } = await open(chrome, guarded.url);
  await page.goto(guarded.url);
  await page.getByRole('heading', { name: 'This server wants a token' }).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByLabel('Token').fill('wrong');
  await page.keyboard.press('Enter');
  await page.getByText('It did not take the one that was given').waitFor();
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Come in' }).click();
  await page.getByText('Just happened').waitFor();
  await page.locator('.live[data-state=live]').waitFor();
  await page.reload();
  await page.getByText('Just happened').waitFor();
  assert.equal(await page.evaluate(() => JSON.stringify(localStorage).includes('tl')), false);
  // Who may only read is told so, and the statement comes back.
  await page.goto(`${guarded.url}/p/harbour/memories?view=review`);
  await page.getByRole('button', { name: 'Approve' }).first().click();
  await page.getByRole('alert').getByText(/role write/).waitFor();
  await close();
});
