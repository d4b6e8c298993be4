// One entry of a working set, whole.

import { Link } from 'wouter';
import type { Entry } from '../../api/shapes';
import { Badge } from '../../parts/badge';
import { Card } from '../../parts/card';
import { Meter } from '../../parts/meter';
import { When } from '../../parts/when';
import { count } from '../../parts/words';

export function EntryDetail({ entry }: { entry: Entry }) {
  return (
    <Card title={`Entry ${entry.id}`} className="pane" aside={<Badge word={entry.tier}>{entry.tier}</Badge>}>
      <div className="stack">
        <pre className="code" tabIndex={0} role="region" aria-label="Content">
          {entry.content}
        </pre>
        <dl className="facts">
          <dt>Type</dt>
          <dd>{entry.type}</dd>
          <dt>Importance</dt>
          <dd>
            <Meter share={entry.score} name="Importance" fill={entry.tier.toLowerCase()} />
          </dd>
          <dt>Tokens</dt>
          <dd>{count(entry.tokens)}</dd>
          <dt>Kept</dt>
          <dd>
            <When at={entry.created_at} />
          </dd>
          <dt>Last used</dt>
          <dd>
            <When at={entry.last_accessed_at} />
          </dd>
          {entry.item_id === undefined ? null : (
            <>
              <dt>Belongs to</dt>
              <dd>
                <Link href={`/backlog/${encodeURIComponent(entry.item_id)}`}>{entry.item_id}</Link>
              </dd>
            </>
          )}
        </dl>
      </div>
    </Card>
  );
}
