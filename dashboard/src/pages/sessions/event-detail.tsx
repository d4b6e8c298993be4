// One event, whole.

import { Link } from 'wouter';
import type { Event } from '../../api/shapes';
import { Card } from '../../parts/card';
import { When } from '../../parts/when';
import { count } from '../../parts/words';

export function EventDetail({ event }: { event: Event }) {
  return (
    <Card title={`Event ${event.sequence}`} className="pane" aside={<When at={event.at} />}>
      <div className="stack">
        <p className="statement">{event.summary}</p>
        {event.purged === undefined ? null : (
          <p className="faint">
            What it said was erased by {event.purged.by}: {event.purged.reason}
          </p>
        )}
        {event.content === undefined ? null : (
          <pre className="code" tabIndex={0} role="region" aria-label="Content">
            {event.content}
          </pre>
        )}
        <dl className="facts">
          <dt>Who</dt>
          <dd>{event.actor}</dd>
          {event.target === undefined ? null : (
            <>
              <dt>On what</dt>
              <dd className="mono">{event.target}</dd>
            </>
          )}
          {event.rationale === undefined ? null : (
            <>
              <dt>Why</dt>
              <dd>{event.rationale}</dd>
            </>
          )}
          {event.item_id === undefined ? null : (
            <>
              <dt>For</dt>
              <dd>
                <Link href={`/backlog/${encodeURIComponent(event.item_id)}`}>{event.item_id}</Link>
              </dd>
            </>
          )}
          <dt>Position</dt>
          <dd>{count(event.position)}</dd>
          {event.redactions > 0 ? (
            <>
              <dt>Secrets</dt>
              <dd>{count(event.redactions)} taken out before it was kept</dd>
            </>
          ) : null}
        </dl>
      </div>
    </Card>
  );
}
