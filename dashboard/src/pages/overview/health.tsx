// Whether what works in the background is up to date.

import type { Overview } from '../../api/shapes';
import { Card } from '../../parts/card';
import { count } from '../../parts/words';

export function Health({ of }: { of: Overview }) {
  const unindexed = of.index.reduce((sum, one) => sum + one.unindexed, 0);
  const later = Math.max(0, (of.jobs['ready'] ?? 0) - of.jobs_due);
  const dead = of.jobs['dead'] ?? 0;
  return (
    <Card title="Background work">
      <dl className="facts">
        <dt>To be indexed</dt>
        <dd>{unindexed === 0 ? 'nothing' : count(unindexed)}</dd>
        <dt>Jobs waiting</dt>
        <dd>
          {of.jobs_due === 0 ? 'none' : count(of.jobs_due)}
          {later > 0 && <span className="faint"> ({count(later)} for later)</span>}
        </dd>
        <dt>Jobs given up</dt>
        <dd>
          {dead === 0 ? (
            'none'
          ) : (
            <>
              {count(dead)}: see <code>throughline jobs list</code>
            </>
          )}
        </dd>
      </dl>
    </Card>
  );
}
