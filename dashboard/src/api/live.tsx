// The log as it grows: one WebSocket that resumes where it was, and questions that are asked again when something happened.

import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import { address } from './ask';
import { getToken } from './token';

export type LiveState = 'connecting' | 'live' | 'away';

interface Live {
  state: LiveState;
  /** Grows with every change that was heard of. */
  changes: number;
}

const LiveContext = createContext<Live>({ state: 'connecting', changes: 0 });

export const useLive = (): Live => useContext(LiveContext);

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 10_000;
/** A burst of events is one change to look at. */
const GATHER_MS = 200;

export function LiveProvider({ project, children }: { project: string; children: ReactNode }) {
  const client = useQueryClient();
  const [live, setLive] = useState<Live>({ state: 'connecting', changes: 0 });
  useEffect(() => {
    setLive({ state: 'connecting', changes: 0 });
    const follower = new Follower(project, {
      state: (state) => setLive((now) => ({ ...now, state })),
      changed: () => {
        setLive((now) => ({ ...now, changes: now.changes + 1 }));
        askAgain(client, project);
      },
    });
    return () => follower.stop();
  }, [client, project]);
  return <LiveContext value={live}>{children}</LiveContext>;
}

/** What is on the screen is asked again; long lists say themselves that there is more. */
function askAgain(client: QueryClient, project: string): void {
  void client.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] === project && queryKey[1] !== 'pages' && queryKey[1] !== 'once',
  });
}

interface Hears {
  state: (state: LiveState) => void;
  changed: () => void;
}

export class Follower {
  private socket: WebSocket | null = null;
  private position: number | null = null;
  private retryMs = FIRST_RETRY_MS;
  private timer: number | undefined;
  private gathering: number | undefined;
  private stopped = false;

  constructor(
    private readonly project: string,
    private readonly hears: Hears,
  ) {
    this.connect();
  }

  stop(): void {
    this.stopped = true;
    window.clearTimeout(this.timer);
    window.clearTimeout(this.gathering);
    this.socket?.close();
  }

  private connect(): void {
    const url = new URL(address('events/stream', { project: this.project, from: this.position }), location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const token = getToken();
    // A browser cannot send headers with a WebSocket; a subprotocol stays out of addresses and logs.
    const socket = token === null ? new WebSocket(url) : new WebSocket(url, ['throughline', `bearer.${token}`]);
    this.socket = socket;
    socket.onopen = () => this.opened();
    socket.onmessage = (message) => this.heard(String(message.data));
    socket.onclose = () => this.closed();
  }

  private opened(): void {
    this.retryMs = FIRST_RETRY_MS;
    this.hears.state('live');
    // What happened between the first answers and now was not heard.
    this.gather();
  }

  private heard(text: string): void {
    const message = JSON.parse(text) as { position?: number };
    if (typeof message.position === 'number') this.position = Math.max(this.position ?? 0, message.position);
    this.gather();
  }

  private gather(): void {
    this.gathering ??= window.setTimeout(() => {
      this.gathering = undefined;
      this.hears.changed();
    }, GATHER_MS);
  }

  private closed(): void {
    if (this.stopped) return;
    this.hears.state('away');
    this.timer = window.setTimeout(() => this.connect(), this.retryMs);
    this.retryMs = Math.min(this.retryMs * 2, LAST_RETRY_MS);
  }
}
