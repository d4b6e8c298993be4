// Words with a colour of their own. The colour never says anything that the word does not.

import type { ReactNode } from 'react';
import { spoken } from './words';

export type Tone = 'plain' | 'accent' | 'hot' | 'warm' | 'cold' | 'good' | 'bad' | 'violet';

const TONES: Record<string, Tone> = {
  // tiers
  HOT: 'hot',
  WARM: 'warm',
  COLD: 'cold',
  // items
  in_progress: 'accent',
  blocked: 'bad',
  done: 'good',
  // sessions
  open: 'plain',
  idle: 'warm',
  // memories
  active: 'good',
  quarantined: 'warm',
  // outcomes of the inspector
  shown: 'good',
  downgraded: 'warm',
  no_room: 'bad',
  // kinds of events and memories
  decision: 'violet',
  user_message: 'accent',
  write: 'hot',
  validation_gate: 'good',
  // jobs
  dead: 'bad',
  failed: 'bad',
  running: 'accent',
  // priorities
  critical: 'bad',
  high: 'hot',
};

export const toneOf = (word: string): Tone => TONES[word] ?? 'plain';

export function Badge({ word, tone, children }: { word: string; tone?: Tone; children?: ReactNode }) {
  return (
    <span className="badge" data-tone={tone ?? toneOf(word)}>
      {children ?? spoken(word)}
    </span>
  );
}
