// Where one agent works: a home, a project and a database of its own in a temporary folder, and nothing from outside it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const LIMIT_MS = 90_000;

export class World {
  #running;

  constructor({ program, packages, model }) {
    this.program = program;
    this.packages = packages;
    this.model = model;
    this.root = mkdtempSync(join(tmpdir(), 'throughline-agent-'));
    this.home = join(this.root, 'home');
    this.project = join(this.root, 'shop');
    this.env = {
      PATH: `${join(this.root, 'bin')}:${process.env.PATH}`,
      HOME: this.home,
      THROUGHLINE_HOME: join(this.root, 'throughline'),
      LANG: 'C.UTF-8',
      TERM: 'dumb',
      HTTPS_PROXY: model.url,
      NO_PROXY: '127.0.0.1,localhost',
    };
    mkdirSync(this.home);
  }

  async furnish() {
    // A debug build beside an agent on a busy machine is slow; how fast hooks are is measured elsewhere.
    this.write(join(this.env.THROUGHLINE_HOME, 'config.toml'), '[hooks]\ndeadline_ms = 5000\ninject_deadline_ms = 5000\n');
    this.write(join(this.project, 'totals.py'), 'def total(prices):\n    return sum(prices)\n');
    this.write(join(this.project, 'README.md'), '# Shop\n');
    const git = (...args) => this.run(['git', '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args]);
    await git('init', '--quiet');
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'A shop');
  }

  write(path, text) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Puts a command on the path, as npm does for what it installs. */
  link(name, [command, ...args]) {
    const path = join(this.root, 'bin', name);
    const quoted = [command, ...args].map(word => `'${word}'`).join(' ');
    this.write(path, `#!/bin/sh\nexec ${quoted} "$@"\n`);
    chmodSync(path, 0o755);
  }

  /** Runs a command in the project; what it printed, when it ended well. */
  async run([command, ...args], env = {}) {
    const child = spawn(command, args, {
      cwd: this.project,
      env: { ...this.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#running = child;
    const printed = { out: '', err: '' };
    child.stdout.on('data', chunk => (printed.out += chunk));
    child.stderr.on('data', chunk => (printed.err += chunk));
    const limit = setTimeout(() => this.#stop(), LIMIT_MS);
    const [code, signal] = await once(child, 'close').finally(() => clearTimeout(limit));
    this.#running = undefined;
    if (code === 0) return printed.out;
    const what = signal ? `was ended after ${LIMIT_MS / 1000} s` : `ended with ${code}`;
    throw new Error(`${[command, ...args].join(' ')} ${what}\n${printed.out}\n${printed.err}`);
  }

  throughline(...args) {
    return this.run([this.program, ...args]);
  }

  async json(...args) {
    return JSON.parse(await this.throughline(...args, '--json'));
  }

  /** Every event of the log, oldest first. */
  async log() {
    const lines = await this.throughline('log', 'export');
    return lines.split('\n').filter(Boolean).map(line => JSON.parse(line));
  }

  /** Processes that were started in this world and still run; whoever started them passed its home on. */
  async processes() {
    const { PATH } = process.env;
    const child = spawn('ps', ['axeww', '-o', 'pid=,command='], { env: { PATH }, stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', chunk => (text += chunk));
    await once(child, 'close');
    return text.split('\n').filter(line => line.includes(this.root));
  }

  remove() {
    this.#stop();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }

  #stop() {
    if (this.#running?.pid) process.kill(-this.#running.pid, 'SIGKILL');
    this.#running = undefined;
  }
}
