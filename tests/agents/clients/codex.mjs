// Codex: hooks in a file beside its settings, which run only once they are trusted.

import { basename, join } from 'node:path';

// What a person does with `/hooks`, and the product never.
const TRUST = '--dangerously-bypass-hook-trust';
const call = (name, input, more) => ({ call: { name, input, ...more } });

export const codex = {
  name: 'codex',
  settle(world) {
    world.write(
      join(world.home, '.codex/config.toml'),
      `model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
model_auto_compact_token_limit = 50000

[model_providers.scripted]
name = "scripted"
base_url = "${world.model.url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"

[projects."${world.project}"]
trust_level = "trusted"

[analytics]
enabled = false
`,
    );
  },
  binary: 'codex',
  start: world => [process.execPath, join(world.packages, '@openai/codex/bin/codex.js')],
  command: (world, prompt, session) => [
    ...codex.start(world),
    'exec',
    TRUST,
    ...(session ? ['resume', session] : []),
    prompt,
  ],
  env: () => ({ SCRIPTED_KEY: 'none' }),
  read: path => call('exec_command', { cmd: `cat ${basename(path)}` }),
  write: (path, content) => call('apply_patch', `*** Begin Patch\n*** Add File: ${path}\n+${content}\n*** End Patch`),
  shell: command => call('exec_command', { cmd: command }),
  search: query => call('search', { query, kinds: ['memory'] }, { namespace: 'mcp__throughline' }),
  steps: ['tool_call cat totals.py', 'write NOTES.md', 'tool_call ls missing-folder'],
  ends: ['system_event session end', 'system_event session_summary'],
  but: ' (Codex does not tell hooks that a command failed)',
  untrusted: {
    says: 'runs no hook before it is trusted',
    command: (...asked) => codex.command(...asked).filter(arg => arg !== TRUST),
  },
  compaction: {
    // More than model_auto_compact_token_limit above.
    at: 60_000,
    leaves: ['the context is about to be compacted (auto)', 'the context was compacted', 'session starts (compact)'],
    tells: 'after',
  },
};
