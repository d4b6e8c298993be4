// What became of every candidate of a context, and what the budget was spent on.

import { Link } from 'wouter';
import type { Context, Explained, ExplainedContext } from '../../api/shapes';
import { Badge } from '../../parts/badge';
import { Card } from '../../parts/card';
import { Legend } from '../../parts/legend';
import { Meter } from '../../parts/meter';
import { ShareBar } from '../../parts/share-bar';
import { count, many, spoken } from '../../parts/words';

const FILLS = ['accent', 'hot', 'cold', 'warm', 'violet', 'good', 'accent-mid'];
const MOST_ROLES = 6;

export function Outcomes({ of: { explanation = [], ...context } }: { of: ExplainedContext }) {
  return (
    <div className="grid">
      <div className="most stack">
        <Spent context={context} explanation={explanation} />
        <Candidates context={context} explanation={explanation} />
      </div>
      <div className="third stack">
        <Facts context={context} />
        <Card title="What the agent reads">
          <pre className="code" tabIndex={0} role="region" aria-label="The answer as the agent reads it">
            {JSON.stringify(context, null, 1)}
          </pre>
        </Card>
      </div>
    </div>
  );
}

interface Traced {
  context: Context;
  explanation: Explained[];
}

function Spent({ context, explanation }: Traced) {
  const { max_tokens, token_estimate } = context.metadata;
  const shares = byRole(explanation, token_estimate);
  return (
    <Card title="What the budget was spent on" aside={`${count(token_estimate)} of ${many(max_tokens, 'token')}`}>
      <div className="stack">
        <ShareBar name="Tokens by role" shares={shares} whole={max_tokens} />
        <Legend series={shares} values={shares.map(({ value }) => count(value))} />
      </div>
    </Card>
  );
}

/** The roles that cost most; the rest of the answer is the item itself and what holds it together. */
export function byRole(explanation: Explained[], total: number): { name: string; value: number; fill: string }[] {
  const sums = new Map<string, number>();
  for (const step of explanation) {
    if (step.outcome !== 'no_room') sums.set(step.role, (sums.get(step.role) ?? 0) + step.tokens);
  }
  const largest = [...sums].toSorted((a, b) => b[1] - a[1]).slice(0, MOST_ROLES);
  const shares = largest.map(([role, value], place) => ({ name: spoken(role), value, fill: FILLS[place] ?? 'plain' }));
  const rest = total - shares.reduce((sum, { value }) => sum + value, 0);
  return rest > 0 ? [...shares, { name: 'the item and the rest', value: rest, fill: 'plain' }] : shares;
}

function Candidates({ context, explanation }: Traced) {
  const titles = titlesOf(context);
  return (
    <Card title="Every candidate" aside={many(explanation.length, 'candidate')}>
      <table>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Role</th>
            <th scope="col">Relevance</th>
            <th scope="col" className="number">
              Tokens
            </th>
            <th scope="col">Outcome</th>
          </tr>
        </thead>
        <tbody>
          {explanation.map((step, place) => (
            <tr key={`${step.role} ${step.id} ${place}`} className={step.outcome === 'no_room' ? 'outcome-cut' : undefined}>
              <td>
                <What step={step} title={titles.get(step.id)} />
              </td>
              <td>{spoken(step.role)}</td>
              <td>{step.relevance_score === undefined ? <span className="faint">by its place</span> : <Meter share={step.relevance_score} name="Relevance" />}</td>
              <td className="number">{count(step.tokens)}</td>
              <td>
                <Badge word={step.outcome} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

/** Where what has a role is shown; the others are items. */
const PLACES: Record<string, string | null> = { memories: '/memories/', decisions: '/memories/', session_summary: '/sessions/', resources: null };

function What({ step: { id, role }, title }: { step: Explained; title: string | undefined }) {
  const place = PLACES[role] === undefined ? '/backlog/' : PLACES[role];
  if (place === null) return <span className="mono">{title ?? id}</span>;
  return (
    <>
      <Link href={`${place}${encodeURIComponent(id)}`}>{title ?? id}</Link> {title === undefined ? null : <span className="faint mono">{id}</span>}
    </>
  );
}

function titlesOf(context: Context): Map<string, string> {
  const lists = Object.values(context).filter(Array.isArray).flat() as { id?: string; title?: string }[];
  const session = context.session_summary;
  const all = [...lists, context.focal, ...(context.parent === undefined ? [] : [context.parent]), ...(session === undefined ? [] : [{ id: session.session_id, title: session.summary }])];
  return new Map(all.flatMap(({ id, title }) => (id === undefined || title === undefined ? [] : [[id, title] as const])));
}

function Facts({ context }: { context: Context }) {
  const { metadata, focal } = context;
  return (
    <Card title="About" aside={metadata.truncated ? <Badge word="something is left out" tone="warm" /> : <Badge word="all of it" tone="good" />}>
      <dl className="facts">
        <dt>Item</dt>
        <dd>
          <Link href={`/backlog/${encodeURIComponent(focal.id)}`}>{focal.title}</Link>
        </dd>
        <dt>Found by</dt>
        <dd>{metadata.focal_resolved_from}</dd>
        {Object.entries(metadata.omitted ?? {}).map(([role, { total, shown }]) => (
          <Omitted key={role} role={role} total={total} shown={shown} />
        ))}
        <dt>Stages</dt>
        <dd className="faint">{metadata.stages_executed.map(spoken).join(', ')}</dd>
      </dl>
    </Card>
  );
}

function Omitted({ role, total, shown }: { role: string; total: number; shown: number }) {
  return (
    <>
      <dt>{spoken(role)}</dt>
      <dd>
        {count(shown)} of {count(total)}
      </dd>
    </>
  );
}
