// A server of the test's own: recorded answers by path, and the socket held in hand.

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { LiveProvider } from '../api/live';
import { ProjectProvider } from '../api/project';

export type Answers = Record<string, unknown>;

export interface Request {
  method: string;
  path: string;
  params: URLSearchParams;
}

/** Answers each path with what is recorded for it; a function is asked. What is not recorded is a 404 problem. */
export function serve(answers: Answers): Request[] {
  const asked: Request[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const url = new URL(String(input), 'http://localhost');
    const request = { method: init?.method ?? 'GET', path: url.pathname.replace('/api/', ''), params: url.searchParams };
    asked.push(request);
    const known = answers[request.method === 'GET' ? request.path : `${request.method} ${request.path}`];
    const answer: unknown = typeof known === 'function' ? known(request) : known;
    return Promise.resolve(answer === undefined ? problem(request) : Response.json(answer));
  });
  return asked;
}

function problem({ path }: Request): Response {
  const told = { type: 'about:blank', title: 'Not found', status: 404, detail: `Nothing is recorded for ${path}` };
  return Response.json(told, { status: 404, headers: { 'content-type': 'application/problem+json' } });
}

export class Socket {
  static all: Socket[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  constructor(readonly url: URL) {
    Socket.all.push(this);
  }
  close(): void {}
  says(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

export function holdSockets(): void {
  Socket.all = [];
  vi.stubGlobal('WebSocket', Socket);
}

/** A page of the project `shop`, at a path. */
export function show(page: ReactNode, path = '/') {
  holdSockets();
  const [where, search = ''] = path.split('?');
  const { hook, searchHook, history } = memoryLocation({ path: where ?? '/', searchPath: search, record: true });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const shown = render(
    <QueryClientProvider client={client}>
      <Router hook={hook} searchHook={searchHook}>
        <ProjectProvider name="shop">
          <LiveProvider project="shop">{page}</LiveProvider>
        </ProjectProvider>
      </Router>
    </QueryClientProvider>,
  );
  return { ...shown, history };
}
