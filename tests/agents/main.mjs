// Real coding agents, started as people start them, against a model that follows a script: what reaches the model, what is
// in the log, what is left after a compaction, and what the next session knows. One line for each thing seen.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { claudeCode } from './clients/claude-code.mjs';
import { codex } from './clients/codex.mjs';
import { geminiCli } from './clients/gemini-cli.mjs';
import { opencode } from './clients/opencode.mjs';
import { Model, SUMMARY } from './model.mjs';
import { World } from './world.mjs';

const RULE = 'Amounts are kept in cents, never as floats';
const FACT = 'The printer Gutenberg takes paper of 80 mm only';
const TASK = 'Round the totals';
const PROMPT = 'Why does the printer Gutenberg show wrong totals?';
const ANSWER = 'The notes say why.';
/** Whether the model is told something during a session too: about a prompt, and what was done before a compaction. */
const TOLD_ON_THE_WAY = true;
const AFTERWARDS_MS = 10_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const [program, packages, ...chosen] = process.argv.slice(2);
const agents = [claudeCode, codex, geminiCli, opencode].filter(({ name }) => !chosen.length || chosen.includes(name));

/** One agent and everything that is to be seen of it. */
class Story {
  failed = false;

  constructor(agent, world, model) {
    Object.assign(this, { agent, world, model });
  }

  async tell() {
    await this.world.furnish();
    this.agent.settle(this.world);
    this.world.link(this.agent.binary, this.agent.start(this.world));
    // Without these there is nothing to see.
    if (!(await this.see('is installed as people do it', () => this.install()))) return;
    if (this.agent.untrusted) await this.see(this.agent.untrusted.says, () => this.gate());
    if (!(await this.see('works through a session', () => this.work()))) return;
    await this.see('says of itself, asked by doctor, that it has our server', () => this.ownWord());
    await this.see('is given rules and open work when it begins', () => this.begins());
    if (TOLD_ON_THE_WAY) await this.see('is given what a prompt is about', () => this.prompted());
    await this.see('gets an answer from our tools over MCP', () => this.asked());
    await this.see(`leaves its session in the log, in order${this.agent.but ?? ''}`, () => this.logged());
    await this.see('keeps the thread when it is resumed, and through a compaction', () => this.compacted());
    await this.see('begins a second session with what the first did, installed for the project', () => this.again());
    if (this.agent.history) await this.see('has nothing in its own history that is not in the log', () => this.imported());
    await this.see('has seen no hook fail, and leaves no process behind', () => this.quiet());
  }

  async see(what, look) {
    try {
      await look();
      console.log(`${this.agent.name}: ${what}`);
      return true;
    } catch (error) {
      this.failed = true;
      console.log(`${this.agent.name}: FAILED: ${what}\n${error.message}\n${await this.evidence()}`);
      return false;
    }
  }

  async install() {
    await this.world.throughline('remember', RULE, '--kind', 'rule');
    await this.world.throughline('remember', FACT, '--kind', 'fact');
    await this.world.throughline('task', 'create', TASK, '--priority', 'high');
    await this.world.throughline('install', this.agent.name);
    await this.doctor('client', `${this.agent.name} (user)`);
  }

  /** Without a person's consent nothing of ours runs. */
  async gate() {
    await this.run(PROMPT, [{ say: ANSWER }], { command: this.agent.untrusted.command });
    assert.equal(contexts(this.turns()[0]), '');
    assert.deepEqual(await this.sessions(), []);
  }

  async work() {
    const { agent, world } = this;
    const script = [
      agent.read(join(world.project, 'totals.py')),
      agent.write(join(world.project, 'NOTES.md'), 'Totals are sums.'),
      agent.shell('ls missing-folder'),
      agent.search('printer'),
      { say: ANSWER },
    ];
    holds(await this.run(PROMPT, script), ANSWER);
    this.first = this.turns();
    assert.equal(this.first.length, script.length);
    const [session] = await this.sessions();
    this.session = session;
  }

  begins() {
    holds(contexts(this.first[0]), RULE);
    holds(contexts(this.first[0]), TASK);
  }

  prompted() {
    holds(contexts(this.first[0]), FACT);
  }

  asked() {
    const [answer] = this.first.at(-1).text.match(/\{"hits":.*/) ?? ['no answer of a search'];
    holds(answer, FACT);
  }

  async logged() {
    const { steps, ends } = this.agent;
    const expected = ['system_event session start', `user_message ${PROMPT}`, ...steps, `model_message ${ANSWER}`, ...ends];
    assert.deepEqual((await this.events(this.session)).map(line), expected);
  }

  async compacted() {
    const { agent, world } = this;
    const known = (await this.events(this.session)).length;
    const read = agent.read(join(world.project, 'README.md'));
    const script = [{ ...read, tokens: agent.compaction.at }, { say: 'It goes on.' }];
    await this.run('Go on', script, { session: this.session.client_session });
    const { requests } = this.model;
    // What hooks add must not cost what a person said.
    holds(requests[0].text, PROMPT);
    const asked = requests.map(request => request.asked);
    const summary = requests[asked.lastIndexOf('summary')];
    assert(summary, `nothing was compacted: ${asked}`);
    const after = requests.slice(requests.indexOf(summary)).find(request => request.asked === 'turn');
    holds(after.text, SUMMARY);
    holds(contexts(after), RULE);
    const told = { before: summary, after }[agent.compaction.tells];
    if (TOLD_ON_THE_WAY && told) holds(contexts(told), 'NOTES.md');
    assert.equal((await this.sessions()).length, 1);
    const events = (await this.events(this.session)).slice(known).map(event => event.summary);
    inOrder(events, ['Go on', 'README.md', ...agent.compaction.leaves, 'It goes on.']);
  }

  async again() {
    await this.world.throughline('uninstall', this.agent.name);
    await this.world.throughline('install', this.agent.name, '--scope', 'project');
    await this.run('What comes next?', [{ say: 'The totals.' }]);
    holds(contexts(this.turns()[0]), 'NOTES.md');
    assert.equal((await this.sessions()).length, 2);
  }

  async imported() {
    const answer = JSON.parse(await this.world.throughline('import', this.agent.history, '--json'));
    assert.equal(answer.imported, 0);
    assert.notEqual(answer.already_there, 0);
  }

  async quiet() {
    await this.doctor('hooks', 'no failures in the last day');
    const end = Date.now() + AFTERWARDS_MS;
    let processes = await this.world.processes();
    // Ending takes a moment, and nobody tells when it is over.
    while (processes.length && Date.now() < end) processes = await this.world.processes();
    assert.deepEqual(processes, []);
  }

  /** Starts the agent as a person would; what it printed. */
  async run(prompt, script, { session, command = this.agent.command } = {}) {
    this.model.follow(script);
    const printed = await this.world.run(command(this.world, prompt, session), this.agent.env(this.model));
    assert.deepEqual(this.model.left, [], 'the agent stopped before the script was over');
    return printed;
  }

  async ownWord() {
    const { findings } = await this.world.json('doctor');
    const said = findings.find(({ detail }) => detail.startsWith(`${this.agent.name}: \`${this.agent.binary} mcp`));
    assert.equal(said?.verdict, 'ok', JSON.stringify(findings, null, 1));
  }

  async doctor(check, detail) {
    const { findings } = await this.world.json('doctor', '--no-ask');
    assert(
      findings.some(finding => finding.check === check && finding.verdict === 'ok' && finding.detail === detail),
      JSON.stringify(findings, null, 1),
    );
  }

  turns() {
    return this.model.requests.filter(request => request.asked === 'turn');
  }

  async sessions() {
    const { sessions } = await this.world.json('session', 'list');
    return sessions.filter(session => session.client === this.agent.name);
  }

  async events(session) {
    const events = (await this.world.log()).filter(event => event.session_id === session.id);
    // What was found for the model is no step of it.
    return events.filter(event => event.kind !== 'memory_recall');
  }

  async evidence() {
    const requests = this.model.requests.map(request => `${request.asked} ${request.path}\n${contexts(request)}`);
    const last = this.model.requests.at(-1)?.text.slice(-1500) ?? 'nothing';
    const log = await this.world.log().catch(() => []);
    const parts = ['-- asked of the model:', ...requests, '-- the last ends:', last, '-- the log:', ...log.map(line), '--'];
    return parts.join('\n');
  }
}

/** What of ours a request holds. */
function contexts({ text }) {
  return (text.match(/<throughline-context[^]*?<\/throughline-context>/g) ?? []).join('\n');
}

function holds(text, part) {
  assert(text.includes(part), `does not hold: ${part}\n${text.slice(-1500)}`);
}

/** Each part is in a text that comes after that of the part before. */
function inOrder(texts, parts) {
  let left = parts;
  for (const text of texts) if (left.length && text.includes(left[0])) left = left.slice(1);
  assert.deepEqual(left, [], `missing, or not in their order, in:\n${texts.join('\n')}`);
}

/** An event in one line: its kind and what it is about. */
function line({ kind, target, content }) {
  return [kind, target ?? content].filter(Boolean).join(' ');
}

let failed = false;
for (const agent of agents) {
  const model = await Model.start();
  const world = new World({ program, packages, model });
  const interrupted = () => {
    world.remove();
    process.exit(130);
  };
  for (const signal of SIGNALS) process.on(signal, interrupted);
  try {
    const story = new Story(agent, world, model);
    await story.tell();
    failed ||= story.failed;
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupted);
    model.close();
    world.remove();
  }
}
process.exitCode = failed ? 1 : 0;
