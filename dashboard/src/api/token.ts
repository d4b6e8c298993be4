// The access token, for servers that want one. It stays in this tab.

import { useSyncExternalStore } from 'react';

const KEY = 'throughline.token';
let wanted = false;
const listeners = new Set<() => void>();

export function getToken(): string | null {
  return sessionStorage.getItem(KEY);
}

export function giveToken(token: string): void {
  sessionStorage.setItem(KEY, token.trim());
  wanted = false;
  tell();
}

/** The server did not let us in: with no token, or with this one. */
export function refuseToken(): void {
  if (!wanted) {
    wanted = true;
    tell();
  }
}

export function useTokenWanted(): boolean {
  return useSyncExternalStore(subscribe, () => wanted);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}
