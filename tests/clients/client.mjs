// The official TypeScript client against one server, in each protocol mode; `run` tells it what to ask for.

import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const modes = [
  ['legacy', 'legacy', '2025-11-25'],
  ['auto', 'auto', '2026-07-28'],
  ['2026-07-28', { pin: '2026-07-28' }, '2026-07-28'],
];
const plan = JSON.parse(process.argv[2]);

function transport() {
  if (plan.url) return new StreamableHTTPClientTransport(new URL(plan.url));
  const [command, ...args] = plan.command;
  return new StdioClientTransport({ command, args, env: plan.env, cwd: plan.folder });
}

function holds(what, part, answer) {
  const text = JSON.stringify(answer);
  assert(text.includes(part), `${what} does not say ${part}: ${text}`);
}

for (const [name, mode, version] of modes) {
  const client = new Client({ name: 'throughline-test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport());
  assert.equal(client.getNegotiatedProtocolVersion(), version);
  const { tools } = await client.listTools();
  assert(tools.some(tool => tool.name === plan.tool.name), JSON.stringify(tools.map(tool => tool.name)));
  const called = await client.callTool({ name: plan.tool.name, arguments: plan.tool.arguments });
  assert(!called.isError, JSON.stringify(called));
  holds('the tool', plan.tool.says, called);
  holds('the resource', plan.resource.says, await client.readResource({ uri: plan.resource.uri }));
  const { says, ...prompt } = plan.prompt;
  holds('the prompt', says, await client.getPrompt(prompt));
  await client.close();
  console.log(`typescript client, ${plan.door}, ${name}: ok`);
}
