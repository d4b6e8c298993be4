// The real program with a seeded store, and a real browser in front of it.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { Place, seed } from './seed.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
export const PROGRAM = process.env.THROUGHLINE ?? '../target/debug/throughline';
const BROWSERS = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export async function start({ database } = {}) {
  const home = mkdtempSync(join(tmpdir(), 'throughline-e2e-'));
  const place = new Place(PROGRAM, home, database);
  const items = seed(place);
  const { server, url } = await serve(place);
  const end = async () => {
    server.kill('SIGTERM');
    await new Promise((resolve) => server.once('exit', resolve));
    rmSync(home, { recursive: true, force: true });
  };
  return { place, items, url, end };
}

export async function serve(place, ...args) {
  const server = spawn(PROGRAM, ['serve', '--listen', '127.0.0.1:0', '--json', ...args], { cwd: place.folder, env: place.env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await Promise.race([
    new Promise((resolve) => createInterface(server.stdout).once('line', (text) => resolve([text]))),
    new Promise((_, reject) => server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))),
  ]);
  return { server, url: JSON.parse(line).url };
}

export function browser() {
  const executablePath = BROWSERS.find((path) => path && existsSync(path));
  if (executablePath === undefined) throw new Error('no Chromium: install the package chromium, or name one in CHROMIUM');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'] });
}

/** A page that remembers whatever went wrong in it. */
export async function open(chrome, url, { scheme = 'light' } = {}) {
  const context = await chrome.newContext({ colorScheme: scheme, viewport: { width: 1200, height: 760 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const wrong = [];
  page.on('console', (message) => message.type() === 'error' && wrong.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => wrong.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const to = new URL(request.url());
    if (to.origin !== new URL(url).origin && to.protocol !== 'blob:') wrong.push(`asked elsewhere: ${request.url()}`);
  });
  await page.addInitScript(() => document.addEventListener('securitypolicyviolation', (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`)));
  return { page, wrong, close: () => context.close() };
}

/** What axe finds against WCAG A and AA, a line each. */
export async function violations(page) {
  // Handed to the page by the browser's own channel, which its security policy does not reach.
  await page.evaluate(AXE);
  const found = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }));
  return found.violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target.join(' ')}: ${node.failureSummary}`));
}
