import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve, show, type Request } from '../../testing/server';
import { BeforeATask } from './before-a-task';
import { byRole } from './outcomes';

/** As the server answers: the smaller the budget, the more is cut. */
function answer({ params }: Request) {
  const budget = Number(params.get('max_tokens'));
  const outcome = budget < 1000 ? 'no_room' : 'shown';
  return {
    focal: { id: 'TASK-0001', title: 'Follow the cursor', status: 'open', type: 'task', fidelity: 'full', created_at: '', updated_at: '', status_since: '' },
    memories: [{ id: 'm1', kind: 'rule', title: 'Never raise the page size', fidelity: 'summary', relevance_score: 0.5, confidence: 0.9, source: 'explicit by user:mira', at: '' }],
    metadata: { depth: 1, focal_resolved_from: 'id', max_tokens: budget, token_estimate: outcome === 'shown' ? 820 : 480, truncated: outcome !== 'shown', total_items: 2, stages_executed: ['focal_resolution'] },
    explanation: [
      { role: 'memories', id: 'm1', relevance_score: 0.5, tokens: 90, outcome: 'shown' },
      { role: 'siblings', id: 'TASK-0002', tokens: 400, outcome },
    ],
  };
}

test('an id is asked for as an id, words as a query', async () => {
  const asked = serve({ context: answer });
  show(<BeforeATask />, '/inspector?about=TASK-0001');
  await screen.findByText('Never raise the page size');
  expect(asked[0]?.params.get('task_id')).toBe('TASK-0001');
  await userEvent.clear(screen.getByRole('searchbox'));
  await userEvent.type(screen.getByRole('searchbox'), 'cart paging');
  await waitFor(() => expect(asked.at(-1)?.params.get('query')).toBe('cart paging'));
  expect(asked.at(-1)?.params.has('task_id')).toBe(false);
});

test('a smaller budget shows what is cut', async () => {
  serve({ context: answer });
  show(<BeforeATask />, '/inspector?about=TASK-0001');
  const row = (await screen.findByText('TASK-0002')).closest('tr')!;
  expect(within(row).getByText('shown')).toBeVisible();
  screen.getByRole('slider').focus();
  await userEvent.keyboard('{Home}');
  await screen.findByText('no room');
  expect(screen.getByRole('slider')).toHaveAttribute('aria-valuetext', '500 tokens');
  expect(screen.getByText('something is left out')).toBeVisible();
});

test('what was cut costs nothing, and the shares add up to the answer', () => {
  const step = (role: string, tokens: number, outcome: string) => ({ role, id: role, tokens, outcome });
  const shares = byRole([step('memories', 100, 'shown'), step('memories', 50, 'downgraded'), step('siblings', 400, 'no_room')], 500);
  expect(shares.map(({ name, value }) => [name, value])).toEqual([
    ['memories', 150],
    ['the item and the rest', 350],
  ]);
});
