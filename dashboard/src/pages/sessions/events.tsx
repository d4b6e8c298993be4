// What happened in a session, event by event.

import { useState } from 'react';
import { usePages } from '../../api/questions';
import type { Event } from '../../api/shapes';
import { Badge } from '../../parts/badge';
import { Choice } from '../../parts/field';
import { Nothing } from '../../parts/note';
import { PagedList } from '../../parts/virtual-list';
import { clockTime, count, exactTime } from '../../parts/words';
import { EventDetail } from './event-detail';

const ROW_PX = 44;

export function Events({ session, kinds }: { session: string; kinds: string[] }) {
  const [kind, setKind] = useState('');
  const [chosen, setChosen] = useState<Event>();
  const events = usePages<Event>('events', { session, kind });
  return (
    <>
      <div className="filters">
        <Choice name="Kind" value={kind} options={kinds.toSorted()} all="Every kind" change={setKind} />
      </div>
      <div className={chosen === undefined ? 'fill' : 'split'}>
        <div className="card list-card">
          <PagedList name="Events" pages={events} rowHeight={ROW_PX} idOf={(event) => event.id} chosen={chosen?.id} nothing={<Nothing title="No event of this kind" />}>
            {(event) => <Row event={event} isOpen={event.id === chosen?.id} open={() => setChosen(event.id === chosen?.id ? undefined : event)} />}
          </PagedList>
        </div>
        {chosen === undefined ? null : <EventDetail event={chosen} />}
      </div>
    </>
  );
}

function Row({ event, isOpen, open }: { event: Event; isOpen: boolean; open: () => void }) {
  return (
    <button type="button" className="list-link event-row" onClick={open} aria-expanded={isOpen}>
      <time className="faint" dateTime={event.at} title={exactTime(event.at)}>
        {clockTime(event.at)}
      </time>
      <span>
        <Badge word={event.kind} />
      </span>
      <span className="clip">{event.summary || event.target}</span>
      <span className="faint number">{event.tokens > 0 ? `${count(event.tokens)} tokens` : ''}</span>
    </button>
  );
}
