// A project with a month of work in it, made through the program's own commands, always the same.

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS = 30;

/** A program, a home and a project's folder. */
export class Place {
  constructor(program, home, database) {
    this.program = program;
    this.folder = join(home, 'harbour');
    mkdirSync(this.folder, { recursive: true });
    writeFileSync(join(this.folder, 'cart.rs'), 'pub fn lines(&self) -> Vec<Line> {\n    self.pages().flatten().collect()\n}\n');
    this.env = { ...process.env, THROUGHLINE_HOME: home, THROUGHLINE_LOG: 'error', ...(database ? { THROUGHLINE_DATABASE_URL: database } : {}) };
  }

  /** A command, with what it answers in JSON. */
  run(args, options) {
    return JSON.parse(this.tell([...args, '--json'], options));
  }

  tell(args, { actor = 'user:mira', input } = {}) {
    const options = { cwd: this.folder, env: { ...this.env, THROUGHLINE_ACTOR: actor }, input, encoding: 'utf8', maxBuffer: 1 << 28 };
    const ended = spawnSync(this.program, args, options);
    if (ended.status !== 0) throw new Error(`throughline ${args.join(' ')}: ${ended.stdout}${ended.stderr}`);
    return ended.stdout;
  }

  append(events, actor) {
    return this.run(['log', 'append', '--batch', '-'], { actor, input: events.map((event) => JSON.stringify(event)).join('\n') });
  }
}

export function seed(place) {
  const items = backlog(place);
  history(place, items);
  knowledge(place);
  workingSets(place, items);
  today(place, items);
  for (let round = 0; round < 3; round += 1) place.tell(['jobs', 'run']);
  return items;
}

function backlog(place) {
  const create = (title, ...more) => place.run(['task', 'create', title, ...more]).id;
  // What changed last comes first in the tree.
  const reports = create('Reports in less than a second', '--type', 'epic', '--priority', 'low');
  for (let n = 1; n <= 24; n += 1) create(`Look at slow query ${n} of the report`, '--parent', reports);
  const search = create('Search that finds what people mean', '--type', 'epic', '-d', 'Spelling, synonyms and filters for the shop.');
  const old = create('Move prices to integer cents', '--priority', 'high', '-d', 'Floating point made totals differ by a cent.');
  place.run(['resource', 'write', 'receipts.md', '--content', '# Receipts\n\nA receipt names every line, the tax of each, and the payment it belongs to.\n']);
  const epic = create('Checkout that never loses an order', '--type', 'epic', '--priority', 'high', '-d', 'Orders arrive once, whole and paid, whatever fails in between.');
  const paging = create('Follow the cursor when the cart has many lines', '--parent', epic, '--priority', 'critical', '-d', 'Carts with more than 100 lines lose the rest at checkout. Read every page until next_cursor is empty; the page size stays 100.');
  const retry = create('Retry payment with the same key', '--parent', epic, '--depends-on', paging, '-d', 'A retry after a time-out must not charge twice. The payment provider takes an idempotency key.');
  const receipt = create('Send the receipt after payment, not before', '--parent', epic, '--depends-on', retry, '-d', 'Receipts go out when the provider confirms the payment. Totals are integer cents, with the tax of every line.', '--reference', `throughline://item/${old}=Prices in cents`, '--reference', 'throughline://resource/receipts.md=What a receipt says');
  const alarm = create('Alarm when orders and payments differ', '--parent', epic, '--depends-on', receipt, '--priority', 'medium');
  const typo = create('Tolerate one typo in product names', '--parent', search, '-d', 'Trigram match with a floor; measure on the query log.');
  create('Rank by what was bought after a search', '--parent', search, '--depends-on', typo);
  create('Show filters with counts', '--parent', search, '--priority', 'low');
  place.run(['task', 'update', paging, '--status', 'in_progress'], { actor: 'agent:claude-code' });
  place.run(['task', 'update', receipt, '--status', 'blocked', '--blocked-reason', 'The mail provider has no sandbox account yet'], { actor: 'agent:codex' });
  place.run(['task', 'complete', old, '--summary', 'All prices are integer cents, in the database and on the wire'], { actor: 'agent:claude-code' });
  return { epic, paging, retry, receipt, alarm };
}

const WORK = [
  ['user_message', null, 'Checkout fails when the cart has more than 100 lines. Find out why.'],
  ['search', 'page_size', '3 matches in cart.rs and client.rs'],
  ['read', 'cart.rs', 'lines() reads one page of 100 lines and ignores next_cursor'],
  ['tool_call', 'cargo test cart', 'cargo test cart'],
  ['tool_result', 'cargo test cart', 'FAILED cart::reads_all_lines: left 100, right 250'],
  ['decision', 'cart paging', 'Follow next_cursor until it is empty; the page size stays 100'],
  ['write', 'cart.rs', 'Loop over pages in lines()'],
  ['validation_gate', 'cargo test', '212 passed, 0 failed'],
  ['model_message', null, 'Carts of any length are read whole now. The page size is unchanged; the cursor is followed until it is empty.'],
];
const AGENTS = ['agent:claude-code', 'agent:codex', 'agent:gemini-cli'];

function history(place, items) {
  const now = Date.now();
  for (const [turn, actor] of AGENTS.entries()) {
    const events = [];
    for (let day = DAYS - 1; day >= 0; day -= 1) {
      // Quiet and busy days, always the same ones.
      const rounds = day === 0 ? 1 : (day * 7 + turn * 5) % 4;
      const session = `${actor.slice(6)}-${String(DAYS - day).padStart(2, '0')}`;
      const begin = now - day * DAY_MS - (day === 0 ? 40 * 60_000 : 3 * 60 * 60_000);
      for (let round = 0; round < rounds; round += 1) events.push(...oneRound({ session, client: actor.slice(6), begin: begin + round * 12 * 60_000, items, turn, day }));
    }
    place.append(events, actor);
  }
}

function oneRound({ session, client, begin, items, turn, day }) {
  const at = (second) => new Date(begin + second * 1000).toISOString();
  const common = { session, client, chatmode: turn === 1 ? 'review' : 'implement' };
  const work = WORK.map(([kind, target, content], place) => ({ ...common, kind, target, content, at: at(place * 20), item_id: place > 4 ? (turn === 1 ? items.receipt : items.paging) : null }));
  const tokens = 240 + ((day * 37 + turn * 53) % 400);
  const told = {
    moment: 'prompt',
    tokens,
    given: [
      { what: 'cart paging', why: 'relevant', score: 0.62 },
      { what: items.paging, why: 'named' },
    ],
    left_out: { told_before: 1, no_room: 0 },
  };
  const saved = { tokens_before: tokens * 9, tokens_after: tokens * 2, from: 1, to: 3 };
  return [
    ...work,
    { ...common, kind: 'memory_recall', target: 'injection', summary: `gave ${tokens} tokens at prompt`, parts: told, at: at(1) },
    { ...common, kind: 'system_event', target: 'compaction_summary', summary: 'Summary of the earlier part', content: 'The cart is read page by page.', parts: saved, at: at(200) },
  ].sort((a, b) => a.at.localeCompare(b.at));
}

function knowledge(place) {
  const claude = { actor: 'agent:claude-code' };
  place.run(['remember', 'We never raise the page size; we follow the cursor.', '--kind', 'rule', '--tag', 'cart,paging'], {});
  place.run(['remember', 'Prices are integer cents everywhere, also on the wire.', '--kind', 'fact', '--tag', 'money'], claude);
  place.run(['remember', 'cart.rs:1-3 reads all pages of a cart before checkout.', '--kind', 'fact', '--tag', 'cart'], claude);
  place.run(['remember', 'Mira prefers small commits with one line of message.', '--kind', 'preference', '--scope', 'user'], claude);
  place.run(['remember', 'Tests of the payment provider are flaky on Mondays, when its sandbox restarts.', '--kind', 'belief'], claude);
  place.run(['remember', 'The shop runs on port 3000', '--state-key', 'shop.port'], claude);
  place.run(['remember', 'The shop runs on port 8080', '--state-key', 'shop.port'], claude);
  place.run(['decide', 'payment retries', 'Send the same idempotency key again', '--because', 'a time-out says nothing about whether the charge happened', '--instead-of', 'a new key with a look-up first'], claude);
  place.run(['decide', 'cart paging', 'Follow next_cursor until it is empty', '--because', 'the page size is a promise to other clients', '--instead-of', 'raise the page size to 1000'], claude);
  for (const said of ['The build image has OpenSSL 3.2', 'The staging database is called harbour_stage', 'The mail provider allows 14 messages a second', 'Chrome 120 is the oldest browser that is supported']) {
    place.run(['remember', said, '--source', 'tool_output'], claude);
  }
}

/** A session as the hooks of Claude Code tell it, with what the model is given for it. */
function today(place, items) {
  const hook = (hook_event_name, more) => {
    const event = { session_id: 'checkout-paging', cwd: place.folder, hook_event_name, ...more };
    place.tell(['hook', 'claude-code'], { input: JSON.stringify(event) });
  };
  const tool = (tool_name, tool_input, tool_response) => hook('PostToolUse', { tool_name, tool_input, tool_response });
  hook('SessionStart', { source: 'startup' });
  hook('UserPromptSubmit', { prompt: `Why does cart paging stop at 100 lines? Follow the cursor, and look at ${items.paging}.` });
  tool('Grep', { pattern: 'next_cursor' }, { filenames: ['cart.rs'] });
  tool('Read', { file_path: join(place.folder, 'cart.rs') }, { file: { content: 'pub fn lines(&self)' } });
  tool('Edit', { file_path: join(place.folder, 'cart.rs'), old_string: 'one page', new_string: 'every page' }, { success: true });
  tool('Bash', { command: 'cargo test cart' }, { stdout: 'test result: ok. 212 passed; 0 failed', exit_code: 0 });
  hook('UserPromptSubmit', { prompt: 'Good. Now make payment retries safe: which key do we send?' });
  hook('Stop', { last_assistant_message: 'Carts of any length are read whole. Payment retries send the same idempotency key again.' });
}

function workingSets(place, items) {
  const hold = (agent, type, content, importance, ...more) => place.run(['set', 'save', type, content, '--importance', String(importance), '--agent', agent, ...more]);
  hold('claude-code', 'TASK', 'Follow the cursor when the cart has many lines', 0.95, '--item', items.paging);
  hold('claude-code', 'ERROR', 'cart::reads_all_lines: left 100, right 250', 0.9);
  for (let n = 1; n <= 18; n += 1) hold('claude-code', 'CODE', `fn page_${n}(cursor: Option<Cursor>) -> Page { client.get(cursor, PAGE_SIZE) } // caller ${n} of the paging client`, (n * 13 % 90) / 100);
  hold('claude-code', 'TEST_RESULT', '212 passed, 0 failed', 0.55);
  hold('codex', 'TASK', 'Send the receipt after payment, not before', 0.92, '--item', items.receipt);
  hold('codex', 'PRD_SECTION', 'A receipt names every line, the tax of each, and the payment it belongs to.', 0.5);
}
