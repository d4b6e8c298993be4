// The rows of the tree: what is open is asked for, branch by branch, and laid out in one list.

import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { address, ask } from '../../api/ask';
import { useProject } from '../../api/project';
import type { Page, Stub } from '../../api/shapes';

export type Row =
  | { kind: 'item'; id: string; level: number; item: Stub; isOpen: boolean }
  | { kind: 'rest'; id: string; level: number; parent: string; left: number };

export interface Branch {
  items: Stub[];
  total: number;
}

const BRANCH_ROWS = 500;

export function useRows(roots: Stub[], open: ReadonlySet<string>): Row[] {
  const project = useProject();
  const parents = useMemo(() => [...open], [open]);
  const branches = useQueries({
    queries: parents.map((parent) => ({
      queryKey: [project, 'one', 'items', { parent }],
      queryFn: () => ask<Page<Stub>>(address('items', { project, parent, limit: BRANCH_ROWS })),
    })),
    combine: (answers) => new Map(answers.map((answer, place): [string, Branch | undefined] => [parents[place] ?? '', answer.data])),
  });
  return useMemo(() => laidOut(roots, open, branches), [roots, open, branches]);
}

export function laidOut(roots: Stub[], open: ReadonlySet<string>, branches: ReadonlyMap<string, Branch | undefined>, level = 1): Row[] {
  return roots.flatMap((item): Row[] => {
    const isOpen = open.has(item.id);
    const row: Row = { kind: 'item', id: item.id, level, item, isOpen };
    const branch = isOpen ? branches.get(item.id) : undefined;
    if (branch === undefined) return [row];
    const left = branch.total - branch.items.length;
    const rest: Row[] = left > 0 ? [{ kind: 'rest', id: `${item.id} rest`, level: level + 1, parent: item.id, left }] : [];
    return [row, ...laidOut(branch.items, open, branches, level + 1), ...rest];
  });
}
