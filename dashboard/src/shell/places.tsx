// Where one can go, and the key that leads there.

import type { ReactNode } from 'react';
import { BACKLOG, CODE, INSPECTOR, MEMORIES, OVERVIEW, SESSIONS, WORKING_SET } from './icons';

export interface Place {
  path: string;
  name: string;
  /** After `g`. */
  key: string;
  icon: ReactNode;
}

export const PLACES: Place[] = [
  { path: '/', name: 'Overview', key: 'o', icon: OVERVIEW },
  { path: '/working-set', name: 'Working set', key: 'w', icon: WORKING_SET },
  { path: '/backlog', name: 'Backlog', key: 'b', icon: BACKLOG },
  { path: '/sessions', name: 'Sessions', key: 's', icon: SESSIONS },
  { path: '/memories', name: 'Memories', key: 'm', icon: MEMORIES },
  { path: '/code', name: 'Code index', key: 'c', icon: CODE },
  { path: '/inspector', name: 'Inspector', key: 'i', icon: INSPECTOR },
];
