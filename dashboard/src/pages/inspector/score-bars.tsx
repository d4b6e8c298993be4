// The parts of a score, each with what it counts for.

import type { ReactNode } from 'react';
import type { ScoreParts } from '../../api/shapes';
import { Meter } from '../../parts/meter';

const BAR_PX = 110;

export function ScoreBars({ parts }: { parts: ScoreParts }) {
  const [relevance, recency, importance] = parts.weights;
  const bar = (name: string, share: number, fill?: string) => <Meter share={share} name={name} width={BAR_PX} fill={fill} />;
  return (
    <dl className="parts" aria-label="Parts of the score">
      <Part name="Relevance" weight={relevance}>
        {bar('Relevance', parts.relevance)}
      </Part>
      <Part name="words" isBelow>
        {/* Not a share: it grows with every word that matches. */}
        {parts.lexical.toFixed(2)} points
      </Part>
      <Part name="meaning" isBelow>
        {parts.semantic === null ? 'no model' : bar('Meaning', parts.semantic, 'accent-mid')}
      </Part>
      <Part name="Recency" weight={recency}>
        {bar('Recency', parts.recency)}
      </Part>
      <Part name="Importance" weight={importance}>
        {bar('Importance', parts.importance)}
      </Part>
      <Part name="Confidence">{bar('Confidence', parts.confidence)}</Part>
    </dl>
  );
}

function Part({ name, weight, isBelow, children }: { name: string; weight?: number; isBelow?: boolean; children: ReactNode }) {
  return (
    <div className="part">
      <dt className={isBelow ? 'faint part-of' : 'faint'}>{name}</dt>
      <dd>{children}</dd>
      <dd className="faint">{weight === undefined ? '' : `× ${weight}`}</dd>
    </div>
  );
}
