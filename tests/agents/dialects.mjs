// The four protocols that agents speak with their models: what is asked, and how an answer of the script is said.

const json = value => ({ type: 'application/json', text: JSON.stringify(value) });
const events = lines => ({ type: 'text/event-stream', text: lines.join('') });
const named = event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const plain = event => `data: ${JSON.stringify(event)}\n\n`;
const INPUT_TOKENS = 1200;
const last = list => JSON.stringify(list?.at(-1) ?? '');

/** Anthropic's Messages, of Claude Code. */
const messages = {
  answers: path => path.startsWith('/v1/messages'),
  conversation: body => body.messages ?? [],
  asked(body) {
    if (last(body.messages).includes('create a detailed summary')) return 'summary';
    return body.tools?.length ? 'turn' : 'other';
  },
  answer(answer, { body, path, number }) {
    if (path.includes('count_tokens')) return json({ input_tokens: INPUT_TOKENS });
    const block = answer.call
      ? { type: 'tool_use', id: `toolu_${number}`, name: answer.call.name, input: answer.call.input }
      : { type: 'text', text: answer.say };
    const stop_reason = answer.call ? 'tool_use' : 'end_turn';
    const usage = {
      input_tokens: answer.tokens ?? INPUT_TOKENS,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 20,
    };
    const message = { id: `msg_${number}`, type: 'message', role: 'assistant', model: body.model, usage };
    if (!body.stream) return json({ ...message, content: [block], stop_reason, stop_sequence: null });
    const begun = answer.call ? { ...block, input: {} } : { ...block, text: '' };
    const delta = answer.call
      ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
      : { type: 'text_delta', text: block.text };
    return events([
      named({ type: 'message_start', message: { ...message, content: [], stop_reason: null, stop_sequence: null } }),
      named({ type: 'content_block_start', index: 0, content_block: begun }),
      named({ type: 'content_block_delta', index: 0, delta }),
      named({ type: 'content_block_stop', index: 0 }),
      named({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage }),
      named({ type: 'message_stop' }),
    ]);
  },
};

/** OpenAI's Responses, of Codex. */
const responses = {
  answers: path => path.startsWith('/v1/responses'),
  conversation: body => body.input ?? [],
  asked: body => (last(body.input).includes('CONTEXT CHECKPOINT COMPACTION') ? 'summary' : 'turn'),
  answer(answer, { number }) {
    const item = said(answer, number);
    const input_tokens = answer.tokens ?? INPUT_TOKENS;
    const usage = {
      input_tokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input_tokens + 20,
    };
    const response = { id: `resp_${number}`, object: 'response' };
    return events([
      named({ type: 'response.created', response: { ...response, status: 'in_progress', output: [] } }),
      named({ type: 'response.output_item.added', output_index: 0, item }),
      named({ type: 'response.output_item.done', output_index: 0, item }),
      named({ type: 'response.completed', response: { ...response, status: 'completed', output: [item], usage } }),
    ]);
  },
};

function said({ say, call }, number) {
  const status = 'completed';
  if (say !== undefined) {
    const content = [{ type: 'output_text', text: say, annotations: [] }];
    return { type: 'message', id: `msg_${number}`, role: 'assistant', content, status };
  }
  const { name, input, namespace } = call;
  const item = { id: `item_${number}`, call_id: `call_${number}`, name, status };
  // A tool that takes text instead of fields.
  if (typeof input === 'string') return { ...item, type: 'custom_tool_call', input };
  return { ...item, type: 'function_call', namespace, arguments: JSON.stringify(input) };
}

/** Google's generateContent, of Gemini CLI. */
const generateContent = {
  answers: path => path.startsWith('/v1beta/'),
  conversation: body => body.contents ?? [],
  asked(body) {
    if (last(body.contents).includes('<state_snapshot>')) return 'summary';
    return body.tools?.length ? 'turn' : 'other';
  },
  answer(answer, { path }) {
    const total = answer.tokens ?? INPUT_TOKENS;
    if (path.includes('countTokens')) return json({ totalTokens: total });
    const part = answer.call ? { functionCall: { name: answer.call.name, args: answer.call.input } } : { text: answer.say };
    const response = {
      candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: total, candidatesTokenCount: 20, totalTokenCount: total + 20 },
    };
    return path.includes('stream') ? events([`data: ${JSON.stringify(response)}\r\n\r\n`]) : json(response);
  },
};

/** OpenAI's Chat Completions, of OpenCode. */
const chat = {
  answers: path => path.startsWith('/v1/chat/completions'),
  conversation: body => body.messages ?? [],
  asked(body) {
    if (last(body.messages).includes('anchored summary')) return 'summary';
    return body.tools?.length ? 'turn' : 'other';
  },
  answer(answer, { body, number }) {
    const prompt_tokens = answer.tokens ?? INPUT_TOKENS;
    const chunk = (delta, finish_reason, usage) =>
      plain({
        id: `chatcmpl_${number}`,
        object: 'chat.completion.chunk',
        created: 1,
        model: body.model,
        choices: [{ index: 0, delta, finish_reason }],
        usage,
      });
    const called = ({ name, input }) => ({ name, arguments: JSON.stringify(input) });
    const delta = answer.call
      ? { tool_calls: [{ index: 0, id: `call_${number}`, type: 'function', function: called(answer.call) }] }
      : { content: answer.say };
    const usage = { prompt_tokens, completion_tokens: 20, total_tokens: prompt_tokens + 20 };
    return events([
      chunk({ role: 'assistant', content: '' }, null),
      chunk(delta, null),
      chunk({}, answer.call ? 'tool_calls' : 'stop', usage),
      'data: [DONE]\n\n',
    ]);
  },
};

export const dialects = [messages, responses, generateContent, chat];
