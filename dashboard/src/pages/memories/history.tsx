// What a memory said before and says since, and what happened to it.

import { Link } from 'wouter';
import { useAnswer } from '../../api/questions';
import type { Event, Memory, MemoryHistory } from '../../api/shapes';
import { Badge } from '../../parts/badge';
import { Card } from '../../parts/card';
import { Answered } from '../../parts/note';
import { When } from '../../parts/when';

export function History({ path }: { path: string }) {
  const history = useAnswer<MemoryHistory>(`${path}/history`);
  return (
    <Card title="History">
      <Answered of={history} rows={2}>
        {({ versions, events }) => (
          <div className="stack">
            {versions.length > 1 ? <Versions versions={versions} /> : null}
            <Events events={events} />
          </div>
        )}
      </Answered>
    </Card>
  );
}

function Versions({ versions }: { versions: Memory[] }) {
  return (
    <div>
      <h3>What stood in its place</h3>
      <ol className="timeline">
        {versions.map((memory) => (
          <li key={memory.id}>
            <Link href={`/memories/${encodeURIComponent(memory.id)}`}>{memory.title}</Link>
            <div className="meta">
              <Badge word={memory.status} />
              <span>{memory.actor}</span>
              <When at={memory.created_at} />
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Events({ events }: { events: Event[] }) {
  if (events.length === 0) return <p className="faint">Nothing has happened to it since.</p>;
  return (
    <ol className="timeline">
      {events.map((event) => (
        <li key={event.id}>
          <p className="cut-two">{event.summary}</p>
          <div className="meta">
            <span>{event.actor}</span>
            <When at={event.at} />
          </div>
        </li>
      ))}
    </ol>
  );
}
