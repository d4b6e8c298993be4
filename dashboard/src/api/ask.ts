// How the page asks: its own server only, and a problem as the server tells it.

import { getToken, refuseToken } from './token';

export type Params = Record<string, string | number | boolean | null | undefined>;

/** What went wrong, and what the server says to do about it. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly title: string,
    readonly detail: string,
  ) {
    super(detail || title);
  }
}

export function address(path: string, params: Params = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return `/api/${path}${text === '' ? '' : `?${text}`}`;
}

export async function ask<T>(url: string, init: RequestInit = {}): Promise<T> {
  const answer = await reach(url, init);
  if (!answer.ok) throw await problemOf(answer);
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}

export function send<T>(method: 'POST' | 'PATCH' | 'DELETE', url: string, body: unknown = {}): Promise<T> {
  return ask<T>(url, { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('accept', 'application/json');
  const token = getToken();
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  try {
    return await fetch(url, { ...init, headers });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Problem(0, 'The server does not answer', 'Start it again with `throughline serve`; this page goes on by itself.');
  }
}

async function problemOf(answer: Response): Promise<Problem> {
  if (answer.status === 401) refuseToken();
  const told = (await answer.json().catch(() => ({}))) as { title?: string; detail?: string };
  return new Problem(answer.status, told.title ?? `The server answered ${answer.status}`, told.detail ?? '');
}
