// What the index finds.

import { useAnswer } from '../../api/questions';
import type { Found } from '../../api/shapes';
import { Badge } from '../../parts/badge';
import { Card } from '../../parts/card';
import { Meter } from '../../parts/meter';
import { Answered, Nothing } from '../../parts/note';
import { count } from '../../parts/words';

export function CodeFound({ query }: { query: string }) {
  const found = useAnswer<Found>('search', { query, limit: 10 }, { keep: true });
  return (
    <Card title="Found" aside={found.data === undefined ? undefined : count(found.data.total)}>
      <Answered of={found}>
        {({ hits }) =>
          hits.length === 0 ? (
            <Nothing title="Nothing is relevant enough">Use other words.</Nothing>
          ) : (
            <ul className="plain-list">
              {hits.map((hit) => (
                <li key={hit.id}>
                  <div className="spread">
                    <span className="title clip">{hit.title}</span>
                    <Meter share={hit.score} name="Score" />
                  </div>
                  <p className="faint cut-two">{hit.snippet}</p>
                  <div className="meta">
                    <Badge word={hit.kind} />
                    <span>{hit.source}</span>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
    </Card>
  );
}
