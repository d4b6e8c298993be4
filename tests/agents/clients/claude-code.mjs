// Claude Code: hooks and server in the user's settings; `claude -p` works without a terminal.

import { join } from 'node:path';

const call = (name, input) => ({ call: { name, input } });

export const claudeCode = {
  name: 'claude-code',
  settle() {},
  binary: 'claude',
  start: world => [process.execPath, join(world.packages, '@anthropic-ai/claude-code/cli-wrapper.cjs')],
  command: (world, prompt, session) => [
    ...claudeCode.start(world),
    ...(session ? ['--resume', session] : []),
    '--allowedTools',
    'Read,Write,Bash,mcp__throughline__search',
    '--print',
    prompt,
  ],
  env: model => ({
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'sk-ant-none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  }),
  read: path => call('Read', { file_path: path }),
  write: (path, content) => call('Write', { file_path: path, content }),
  shell: command => call('Bash', { command, description: 'Runs a command' }),
  search: query => call('mcp__throughline__search', { query, kinds: ['memory'] }),
  steps: ['read totals.py', 'write NOTES.md', 'tool_call ls missing-folder', 'tool_result ls missing-folder'],
  ends: ['system_event session end', 'system_event session_summary'],
  compaction: {
    // More than its context window holds.
    at: 990_000,
    leaves: ['the context is about to be compacted (auto)', 'session starts (compact)', 'the context was compacted'],
    tells: 'after',
  },
};
