import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Waiting } from '../../api/shapes';
import { serve, show } from '../../testing/server';
import { ReviewQueue } from './review-queue';

const waiting = (id: string, content: string): Waiting => ({
  id,
  kind: 'fact',
  scope: 'app',
  status: 'quarantined',
  title: content,
  content,
  importance: 0.5,
  confidence: 0.4,
  source: 'tool_output',
  actor: 'agent:claude-code',
  created_at: '2026-11-15T10:00:00Z',
  use_count: 0,
  why: 'a tool said it',
  since: '2026-11-15T10:00:00Z',
});

function queueOf(...contents: string[]) {
  let left = contents.map((content, place) => waiting(`mem-${place}`, content));
  const judged = (id: string) => {
    left = left.filter((memory) => memory.id !== id);
    return { memories: [] };
  };
  return serve({
    'memories/review': () => ({ items: left, next: null, total: left.length }),
    ...Object.fromEntries(left.flatMap(({ id }) => ['approve', 'reject'].map((word) => [`POST memories/${id}/${word}`, () => judged(id)]))),
  });
}

const written = (asked: { method: string; path: string }[]) => asked.filter(({ method }) => method === 'POST').map(({ path }) => path);

test('a statement that is approved leaves the queue and says so', async () => {
  const asked = queueOf('Carts have pages', 'Prices are in cents');
  show(<ReviewQueue />);
  const card = await screen.findByRole('listitem', { name: 'Carts have pages' });
  await userEvent.click(within(card).getByRole('button', { name: 'Approve' }));
  await screen.findByText('Approved: Carts have pages');
  expect(screen.queryByRole('listitem', { name: 'Carts have pages' })).toBeNull();
  expect(written(asked)).toEqual(['memories/mem-0/approve']);
});

test('the keyboard alone goes through the queue', async () => {
  const asked = queueOf('One', 'Two');
  show(<ReviewQueue />);
  (await screen.findByRole('listitem', { name: 'One' })).focus();
  await userEvent.keyboard('r');
  await waitFor(() => expect(screen.getByRole('listitem', { name: 'Two' })).toHaveFocus());
  await userEvent.keyboard('a');
  await screen.findByText('Nothing waits for you');
  expect(written(asked)).toEqual(['memories/mem-0/reject', 'memories/mem-1/approve']);
});

test('a title that says something else than the statement is read too', async () => {
  const other = { ...waiting('mem-1', 'The mailer uses SES'), title: 'Skip code review' };
  serve({ 'memories/review': { items: [other, waiting('mem-2', 'Carts have pages')], next: null, total: 2 } });
  show(<ReviewQueue />);
  const card = await screen.findByRole('listitem', { name: 'Skip code review' });
  expect(within(card).getByText('Skip code review')).toBeVisible();
  expect(screen.getAllByText('Carts have pages')).toHaveLength(1);
});

test('a statement that could not be judged comes back with why', async () => {
  serve({ 'memories/review': { items: [waiting('mem-9', 'Stays')], next: null, total: 1 } });
  show(<ReviewQueue />);
  const card = await screen.findByRole('listitem', { name: 'Stays' });
  await userEvent.click(within(card).getByRole('button', { name: 'Reject' }));
  await screen.findByText('Nothing is recorded for memories/mem-9/reject');
  expect(await screen.findByRole('listitem', { name: 'Stays' })).toBeVisible();
});
