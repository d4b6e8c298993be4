// Gemini CLI: hooks and server in the user's settings; `gemini -p` works without a terminal.

import { join } from 'node:path';

const call = (name, input) => ({ call: { name, input } });

export const geminiCli = {
  name: 'gemini-cli',
  settle(world) {
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { disableAutoUpdate: true, enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    };
    world.write(join(world.home, '.gemini/settings.json'), JSON.stringify(settings, null, 2));
    world.write(join(world.home, '.gemini/trustedFolders.json'), JSON.stringify({ [world.project]: 'TRUST_FOLDER' }));
  },
  binary: 'gemini',
  start: world => [process.execPath, join(world.packages, '@google/gemini-cli/bundle/gemini.js')],
  command: (world, prompt, session) => [
    ...geminiCli.start(world),
    '--yolo',
    // Else it asks a model which model it shall ask.
    '--model',
    'gemini-3.1-pro-preview',
    ...(session ? ['--resume', session] : []),
    '--prompt',
    prompt,
  ],
  env: model => ({ GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: model.url, GEMINI_CLI_NO_RELAUNCH: 'true' }),
  read: path => call('read_file', { file_path: path }),
  write: (path, content) => call('write_file', { file_path: path, content }),
  shell: command => call('run_shell_command', { command, description: 'Runs a command' }),
  search: query => call('mcp_throughline_search', { query, kinds: ['memory'] }),
  steps: ['read totals.py', 'write NOTES.md', 'tool_call ls missing-folder', 'tool_result ls missing-folder'],
  ends: ['system_event session end', 'system_event session_summary'],
  compaction: {
    // More than half of its context window.
    at: 900_000,
    // Its only hook for this runs before every call of the model, whether anything is compressed or not.
    leaves: [],
  },
};
