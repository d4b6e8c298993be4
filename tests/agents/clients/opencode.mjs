// OpenCode: a plugin in its settings folder; `opencode run` works without a terminal.

import { join } from 'node:path';

const call = (name, input) => ({ call: { name, input } });

export const opencode = {
  name: 'opencode',
  settle(world) {
    const settings = {
      $schema: 'https://opencode.ai/config.json',
      model: 'scripted/one',
      small_model: 'scripted/one',
      autoupdate: false,
      share: 'disabled',
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible',
          name: 'scripted',
          options: { baseURL: `${world.model.url}/v1`, apiKey: 'none' },
          models: { one: { name: 'one', limit: { context: 100000, output: 4000 } } },
        },
      },
    };
    world.write(join(world.home, '.config/opencode/opencode.json'), JSON.stringify(settings, null, 2));
  },
  binary: 'opencode',
  start: world => [join(world.packages, `opencode-linux-${process.arch}/bin/opencode`)],
  command: (world, prompt, session) => [
    ...opencode.start(world),
    'run',
    '--auto',
    ...(session ? ['--session', session] : []),
    // One argument with blanks would be put in quotes.
    ...prompt.split(' '),
  ],
  env: () => ({
    OPENCODE_DISABLE_MODELS_FETCH: 'true',
    OPENCODE_DISABLE_AUTOUPDATE: 'true',
    OPENCODE_DISABLE_LSP_DOWNLOAD: 'true',
  }),
  read: path => call('read', { filePath: path }),
  write: (path, content) => call('write', { filePath: path, content }),
  shell: command => call('bash', { command, description: 'Runs a command' }),
  search: query => call('throughline_search', { query, kinds: ['memory'] }),
  steps: ['read totals.py', 'write NOTES.md', 'tool_call ls missing-folder', 'tool_result ls missing-folder'],
  ends: [],
  /** What `throughline import` calls it. */
  history: 'opencode',
  but: ' (OpenCode does not say when a session ends)',
  compaction: {
    // More than the limit above.
    at: 99_000,
    leaves: ['the context is about to be compacted', 'the context was compacted'],
    tells: 'before',
  },
};
