// What happened with an item, newest first.

import { Link } from 'wouter';
import { usePages } from '../../api/questions';
import type { Event } from '../../api/shapes';
import { Badge } from '../../parts/badge';
import { Card } from '../../parts/card';
import { Failed, Loading } from '../../parts/note';
import { When } from '../../parts/when';
import { many } from '../../parts/words';

export function Timeline({ id }: { id: string }) {
  const steps = usePages<Event>(`items/${encodeURIComponent(id)}/timeline`);
  return (
    <Card title="Timeline" aside={steps.isPending ? undefined : many(steps.total, 'change')}>
      {steps.isPending ? <Loading rows={3} /> : null}
      {steps.error === null ? null : <Failed error={steps.error} />}
      <ol className="timeline">
        {steps.items.map((step) => (
          <li key={step.id}>
            <p className="cut-two">
              <Link href={`/sessions/${encodeURIComponent(step.session_id)}`}>{step.summary}</Link>
            </p>
            <div className="meta">
              <Badge word={step.kind} />
              <span>{step.actor}</span>
              <When at={step.at} />
            </div>
          </li>
        ))}
      </ol>
      {steps.hasMore ? (
        <button type="button" className="button" onClick={steps.more} disabled={steps.isLoadingMore}>
          Show earlier changes
        </button>
      ) : null}
    </Card>
  );
}
