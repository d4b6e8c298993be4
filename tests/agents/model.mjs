// The model that the agents talk to: a server on the loopback that follows a script and keeps what it was asked.
//
// An answer of the script is what a model could say in any protocol: `{ say }`, or `{ call: { name, input } }`; `tokens` is
// how large it says that the conversation has become. Titles and whatever else clients ask besides are answered with a word.

import { createServer } from 'node:http';
import { once } from 'node:events';
import { dialects } from './dialects.mjs';

/** What is left of a conversation that a client has compacted. */
export const SUMMARY = 'The customer in Lyon waits for the totals.';

export class Model {
  #script = [];
  #requests = [];
  #answered = 0;
  #server;

  static async start() {
    const model = new Model();
    model.#server = createServer((request, response) => model.#serve(request, response));
    // What clients would fetch from elsewhere is sent here as to a proxy, and refused.
    model.#server.on('connect', (_, socket) => socket.on('error', () => {}).end('HTTP/1.1 403 Forbidden\r\n\r\n'));
    model.#server.listen(0, '127.0.0.1');
    await once(model.#server, 'listening');
    return model;
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  /** From here on these are the answers, and what was asked before is forgotten. */
  follow(script) {
    this.#script = [...script];
    this.#requests = [];
  }

  /** What the model was asked since: a turn, a summary or something else, and all the text of the conversation. */
  get requests() {
    return this.#requests;
  }

  /** What the script still has to say; something is left when the client stopped asking too early. */
  get left() {
    return this.#script;
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #serve(request, response) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = parsed(Buffer.concat(chunks));
    const dialect = dialects.find(dialect => dialect.answers(request.url));
    if (!dialect || request.method !== 'POST') {
      return send(response, 'application/json', JSON.stringify(dialect?.other?.(request.url) ?? { data: [], models: [] }));
    }
    const asked = dialect.asked(body);
    const answer = this.#answer(asked);
    this.#requests.push({ asked, path: request.url, text: strings(dialect.conversation(body)).join('\n') });
    // Numbers make ids, and a client takes the same id for the same call.
    this.#answered += 1;
    const { type, text } = dialect.answer(answer, { body, path: request.url, number: this.#answered });
    send(response, type, text);
  }

  #answer(asked) {
    switch (asked) {
      case 'turn':
        return this.#script.shift() ?? { say: 'There is nothing more to say.' };
      case 'summary':
        return { say: `<summary>${SUMMARY}</summary>` };
      default:
        return { say: 'shop' };
    }
  }
}

function parsed(bytes) {
  try {
    return JSON.parse(bytes);
  } catch {
    return {};
  }
}

function send(response, type, text) {
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

/** Every text in a document, as it was before it became JSON. */
function strings(value) {
  // Gemini CLI escapes what hooks say.
  if (typeof value === 'string') return [value.replaceAll('&lt;', '<').replaceAll('&gt;', '>')];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(strings);
}
