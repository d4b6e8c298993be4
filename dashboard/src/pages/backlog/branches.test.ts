import type { Stub } from '../../api/shapes';
import { laidOut } from './branches';

const stub = (id: string, child_count = 0): Stub => ({ id, title: id, type: 'task', status: 'open', child_count, updated_at: '2026-11-15T10:00:00Z' });

test('open branches are laid out under their parents, with what is not loaded', () => {
  const branches = new Map([
    ['A', { items: [stub('A1', 1), stub('A2')], total: 7 }],
    ['A1', { items: [stub('A11')], total: 1 }],
  ]);
  const rows = laidOut([stub('A', 7), stub('B', 3)], new Set(['A', 'A1', 'B']), branches);
  expect(rows.map((row) => `${'-'.repeat(row.level)}${row.kind === 'rest' ? `+${row.left}` : row.id}`)).toEqual(['-A', '--A1', '---A11', '--A2', '--+5', '-B']);
});

test('a closed branch shows nothing of what is below', () => {
  const rows = laidOut([stub('A', 2)], new Set(), new Map([['A', { items: [stub('A1')], total: 1 }]]));
  expect(rows.map(({ id }) => id)).toEqual(['A']);
});
