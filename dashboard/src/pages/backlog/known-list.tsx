// Memories and decisions around an item.

import { Link } from 'wouter';
import type { Known } from '../../api/shapes';
import { Badge } from '../../parts/badge';
import { Card } from '../../parts/card';
import { Meter } from '../../parts/meter';
import { When } from '../../parts/when';
import { count } from '../../parts/words';

export function KnownList({ title, list }: { title: string; list: Known[] | undefined }) {
  if (list === undefined || list.length === 0) return null;
  return (
    <Card title={title} aside={count(list.length)}>
      <ul className="plain-list">
        {list.map((known) => (
          <li key={known.id}>
            <div className="spread">
              <Link className="title clip" href={`/memories/${encodeURIComponent(known.id)}`}>
                {known.title}
              </Link>
              <Meter share={known.confidence} name="Confidence" />
            </div>
            {known.content === undefined ? null : <p className="soft cut-two">{known.content}</p>}
            <div className="meta">
              <Badge word={known.kind} />
              <span>{known.source}</span>
              <When at={known.at} />
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
