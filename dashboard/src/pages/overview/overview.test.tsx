import { screen, waitFor, within } from '@testing-library/react';
import type { Overview as Answer } from '../../api/shapes';
import { serve, show, Socket } from '../../testing/server';
import { Overview } from './overview';

const told = (events: number): Answer => ({
  project: 'shop',
  position: events,
  counts: { events, sessions: 3, open_sessions: 1, memories: 9, items: 12, memories_by_kind: { decision: 2 }, items_by_status: { open: 4, in_progress: 1, blocked: 1, done: 6 } },
  days: [
    { day: '2026-11-14', events: 40, sessions: 2, tokens_injected: 900, tokens_saved: 5200 },
    { day: '2026-11-15', events: 2, sessions: 1, tokens_injected: 100, tokens_saved: 0 },
  ],
  agents: [{ actor: 'agent:claude-code', events: 30, last_at: '2026-11-15T10:00:00Z' }],
  unfinished: [{ why: 'failing', text: 'cargo test cart', since: '2026-11-15T09:00:00Z', session_id: 's1' }],
  review_queue: 1,
  index: [],
  jobs: { ready: 5 },
  jobs_due: 2,
});
const noEvents = { items: [], next: null, total: 0 };
const figure = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent;

test('the figures are those of the answer', async () => {
  serve({ overview: told(42), events: noEvents });
  show(<Overview />);
  await screen.findByText('Activity');
  expect(figure('Open work')).toBe('6of 12 items');
  expect(figure('Jobs waiting')).toBe('2 (3 for later)');
  expect(figure('Tokens given')).toBe('1,000to models in 30 days');
  const table = within(screen.getByRole('table', { name: 'Tokens given and saved per day' }));
  expect(table.getByRole('row', { name: 'Nov 14 900 5,200' })).toBeInTheDocument();
  expect(screen.getByText(/1 memory waits for a yes or no/)).toBeVisible();
});

test('an event that is heard of renews them', async () => {
  let events = 42;
  serve({ overview: () => told(events), events: noEvents });
  show(<Overview />);
  await screen.findByText('Activity');
  expect(figure('Events')).toBe('42in 3 sessions');
  events = 43;
  Socket.all[0]!.says({ position: 43, kind: 'write' });
  await waitFor(() => expect(figure('Events')).toBe('43in 3 sessions'));
});

test('a project without events says how to begin', async () => {
  serve({ overview: told(0), events: noEvents });
  show(<Overview />);
  expect(await screen.findByText('throughline install claude-code')).toBeVisible();
});

test('a server that fails says why', async () => {
  serve({});
  show(<Overview />);
  expect(await screen.findByRole('alert')).toHaveTextContent('Nothing is recorded for overview');
});
