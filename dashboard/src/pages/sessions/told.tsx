// A session told again: the story, what was decided, done and left open.

import { Link } from 'wouter';
import { useAnswer } from '../../api/questions';
import type { Choice, Operation, Reconstruction } from '../../api/shapes';
import { Badge } from '../../parts/badge';
import { Card } from '../../parts/card';
import { Meter } from '../../parts/meter';
import { Answered } from '../../parts/note';
import { count, many } from '../../parts/words';

export function Told({ path }: { path: string }) {
  const told = useAnswer<Reconstruction>(`${path}/reconstruct`);
  return (
    <Answered of={told}>
      {(answer) => (
        <div className="grid">
          <div className="most stack">
            <Card title="What happened">
              <p className="prose">{answer.narrative}</p>
            </Card>
            <Operations list={answer.operations} omitted={answer.operations_omitted ?? 0} />
          </div>
          <div className="third stack">
            <Decisions list={answer.decisions} />
            <Left list={answer.unfinished} omitted={answer.unfinished_omitted ?? 0} />
            <Beliefs of={answer} />
          </div>
        </div>
      )}
    </Answered>
  );
}

function Operations({ list, omitted }: { list: Operation[]; omitted: number }) {
  if (list.length === 0) return null;
  return (
    <Card title="Did" aside={count(list.length + omitted)}>
      <table>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Place</th>
            <th scope="col">Kind</th>
            <th scope="col">What</th>
          </tr>
        </thead>
        <tbody>
          {list.map((operation) => (
            <tr key={operation.sequence}>
              <td className="number faint">{operation.sequence}</td>
              <td>
                <Badge word={operation.type} />
              </td>
              <td>
                {operation.target === undefined ? null : <span className="mono">{operation.target} </span>}
                {operation.summary}
                {operation.times ? <span className="faint"> {many(operation.times, 'time')}</span> : null}
                {operation.failed ? <span className="faint"> ({count(operation.failed)} failed)</span> : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {omitted > 0 ? <p className="faint">and {count(omitted)} more</p> : null}
    </Card>
  );
}

function Decisions({ list }: { list: Choice[] }) {
  if (list.length === 0) return null;
  return (
    <Card title="Decided" aside={count(list.length)}>
      <ul className="plain-list">
        {list.map((decision) => (
          <li key={`${decision.subject} ${decision.choice}`}>
            <p className="title">{decision.id === undefined ? decision.subject : <Link href={`/memories/${encodeURIComponent(decision.id)}`}>{decision.subject}</Link>}</p>
            <p>{decision.choice}</p>
            {decision.rationale === undefined ? null : <p className="faint">because {decision.rationale}</p>}
            {decision.alternatives_considered?.length ? <p className="faint">and not {decision.alternatives_considered.join(', ')}</p> : null}
            {decision.superseded ? <Badge word="holds no more" /> : null}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Left({ list, omitted }: { list: string[]; omitted: number }) {
  if (list.length === 0) return null;
  return (
    <Card title="Left open" aside={count(list.length + omitted)}>
      <ul className="plain-list">
        {list.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {omitted > 0 ? <p className="faint">and {count(omitted)} more</p> : null}
    </Card>
  );
}

function Beliefs({ of }: { of: Reconstruction }) {
  if (of.beliefs_affected.length === 0) return null;
  return (
    <Card title="Beliefs moved" aside={count(of.beliefs_affected.length)}>
      <ul className="plain-list">
        {of.beliefs_affected.map((belief) => (
          <li key={belief.belief_id}>
            <p>{belief.content}</p>
            <div className="meta">
              <Badge word={belief.action} />
              <Meter share={belief.confidence} name="Confidence" />
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
