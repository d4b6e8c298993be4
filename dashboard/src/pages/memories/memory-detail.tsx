// One memory: what it says, how sure it is, where it came from, what became of it.

import { Link } from 'wouter';
import { useAnswer } from '../../api/questions';
import type { MemoryShown } from '../../api/shapes';
import { Badge } from '../../parts/badge';
import { Card } from '../../parts/card';
import { Meter } from '../../parts/meter';
import { Answered } from '../../parts/note';
import { When } from '../../parts/when';
import { many, spoken } from '../../parts/words';
import { History } from './history';

export function MemoryDetail({ id }: { id: string }) {
  const path = `memories/${encodeURIComponent(id)}`;
  const memory = useAnswer<MemoryShown>(path);
  return (
    <div className="pane stack" role="region" aria-label="The chosen memory" tabIndex={0}>
      <Answered of={memory}>
        {(shown) => (
          <>
            <Statement memory={shown} />
            <Provenance memory={shown} />
            <History path={path} />
          </>
        )}
      </Answered>
    </div>
  );
}

function Statement({ memory }: { memory: MemoryShown }) {
  return (
    <Card title={memory.title} aside={<Badge word={memory.status} />}>
      <div className="stack">
        <p className="statement">{memory.content}</p>
        <div className="row-wrap">
          <Badge word={memory.kind} />
          <Badge word={memory.scope} tone="plain" />
          {memory.tags?.map((tag) => (
            <Badge word={tag} tone="cold" key={tag} />
          ))}
        </div>
        <dl className="facts">
          <dt>Sure</dt>
          <dd>
            <Meter share={memory.confidence_now ?? memory.confidence} name="Confidence" /> {memory.decay === undefined ? null : <span className="faint">{memory.decay}</span>}
          </dd>
          <dt>Important</dt>
          <dd>
            <Meter share={memory.importance} name="Importance" />
          </dd>
          <dt>Used</dt>
          <dd>
            {many(memory.use_count, 'time')}
            {memory.last_used_at === undefined ? null : (
              <>
                , last <When at={memory.last_used_at} />
              </>
            )}
          </dd>
          {memory.end_reason === undefined ? null : (
            <>
              <dt>Ended</dt>
              <dd>{memory.end_reason}</dd>
            </>
          )}
        </dl>
      </div>
    </Card>
  );
}

function Provenance({ memory }: { memory: MemoryShown }) {
  return (
    <Card title="Where it came from">
      <div className="stack">
        <p>
          {spoken(memory.source)} by {memory.actor}, <When at={memory.created_at} />
        </p>
        {memory.lineage.length === 0 ? <p className="faint">From no event of the log: somebody wrote it down.</p> : null}
        <ul className="plain-list">
          {memory.lineage.map((origin) => (
            <li className="meta" key={origin.event_id}>
              <span className="mono">{origin.event_id}</span>
              <Link href={`/sessions/${encodeURIComponent(origin.session_id)}`}>its session</Link>
            </li>
          ))}
          {memory.cites?.map((cited) => (
            <li className="spread" key={`${cited.path} ${cited.lines}`}>
              <code>
                {cited.path}:{cited.lines}
              </code>
              <Badge word={cited.code} tone={cited.stale ? 'warm' : 'good'} />
            </li>
          ))}
        </ul>
        {memory.supersedes === undefined ? null : (
          <p>
            In place of <Link href={`/memories/${encodeURIComponent(memory.supersedes)}`}>{memory.supersedes}</Link>
          </p>
        )}
        {memory.superseded_by === undefined ? null : (
          <p>
            Replaced by <Link href={`/memories/${encodeURIComponent(memory.superseded_by)}`}>{memory.superseded_by}</Link>
          </p>
        )}
      </div>
    </Card>
  );
}
