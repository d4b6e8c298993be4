import { holdSockets, Socket } from '../testing/server';
import { Follower } from './live';

beforeEach(() => {
  holdSockets();
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

function follow() {
  const heard: string[] = [];
  const follower = new Follower('shop', { state: (state) => heard.push(state), changed: () => heard.push('changed') });
  return { heard, follower };
}

test('a burst of events is one change', () => {
  const { heard } = follow();
  const [socket] = Socket.all;
  socket!.onopen?.();
  vi.advanceTimersByTime(1000);
  for (let position = 1; position <= 50; position += 1) socket!.says({ position, kind: 'write' });
  vi.advanceTimersByTime(1000);
  expect(heard).toEqual(['live', 'changed', 'changed']);
});

test('it comes back where it was', () => {
  const { heard } = follow();
  Socket.all[0]!.onopen?.();
  Socket.all[0]!.says({ position: 41, kind: 'read' });
  Socket.all[0]!.onclose?.();
  vi.advanceTimersByTime(600);
  expect(Socket.all).toHaveLength(2);
  expect(Socket.all[1]!.url.searchParams.get('from')).toBe('41');
  expect(heard.at(-1)).toBe('changed');
});

test('it waits longer from try to try, and not at all once it is stopped', () => {
  const { follower } = follow();
  for (let tries = 1; tries <= 4; tries += 1) {
    Socket.all.at(-1)!.onclose?.();
    vi.advanceTimersByTime(500 * 2 ** (tries - 1) - 1);
    expect(Socket.all).toHaveLength(tries);
    vi.advanceTimersByTime(1);
    expect(Socket.all).toHaveLength(tries + 1);
  }
  follower.stop();
  Socket.all.at(-1)!.onclose?.();
  vi.advanceTimersByTime(60_000);
  expect(Socket.all).toHaveLength(5);
});
