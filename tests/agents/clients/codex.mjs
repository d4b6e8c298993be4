// Codex: hooks in a file beside its settings, which run only once they are trusted.

import { join } from 'node:path';

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

[model_providers.scripted]
name = "scripted"
base_url = "${world.model.url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"

[analytics]
enabled = false
`,
    );
  },
  command: (world, prompt, session) => [
    process.execPath,
    join(world.packages, '@openai/codex/bin/codex.js'),
    'exec',
    // What a person does with `/hooks`. The product never does it.
    '--dangerously-bypass-hook-trust',
    ...(session ? ['resume', session] : []),
    prompt,
  ],
  env: () => ({ SCRIPTED_KEY: 'none' }),
  read: path => call('exec_command', { cmd: `cat ${path}` }),
  write: (path, content) => call('apply_patch', `*** Begin Patch\n*** Add File: ${path}\n+${content}\n*** End Patch`),
  shell: command => call('exec_command', { cmd: command }),
  search: query => call('search', { query }, { namespace: 'mcp__throughline' }),
};
