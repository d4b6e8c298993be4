// One item with everything around it, as an agent that begins on it would be told.

import { Link } from 'wouter';
import { useAnswer } from '../../api/questions';
import type { Context, Entity, Item } from '../../api/shapes';
import { Badge } from '../../parts/badge';
import { Card } from '../../parts/card';
import { Answered, Failed, Loading } from '../../parts/note';
import { Page } from '../../parts/page';
import { When } from '../../parts/when';
import { many } from '../../parts/words';
import { BlockingChain } from './blocking-chain';
import { Entities } from './entities';
import { itemHref } from './item-row';
import { KnownList } from './known-list';
import { Timeline } from './timeline';

const AROUND_TOKENS = 12_000;

export default function ItemPage({ id }: { id: string }) {
  const item = useAnswer<Item>(`items/${encodeURIComponent(id)}`);
  const around = useAnswer<Context>('context', { task_id: id, depth: 2, max_tokens: AROUND_TOKENS, include_related: true, include_activity: true });
  if (item.data === undefined) {
    return (
      <Page title={id} before={<Breadcrumb trail={[]} />}>
        {item.error === null ? <Loading /> : <Failed error={item.error} again={() => void item.refetch()} />}
      </Page>
    );
  }
  return (
    <Page title={item.data.title} before={<Breadcrumb trail={trailOf(around.data)} />} actions={<Standing item={item.data} />}>
      <div className="grid">
        <div className="most stack">
          <About item={item.data} />
          <Answered of={around}>{(answer) => <Around of={answer} />}</Answered>
        </div>
        <div className="third stack">
          <BlockingChain item={item.data} around={around.data} />
          {around.data === undefined ? null : <LastSession of={around.data} />}
          <Timeline id={id} />
        </div>
      </div>
    </Page>
  );
}

/** From the top down to the parent. */
function trailOf(context: Context | undefined): Entity[] {
  if (context === undefined) return [];
  const above = [...(context.ancestors ?? [])].toSorted((a, b) => (b.graph_depth ?? 0) - (a.graph_depth ?? 0));
  return context.parent === undefined ? above : [...above.filter(({ id }) => id !== context.parent?.id), context.parent];
}

function Breadcrumb({ trail }: { trail: Entity[] }) {
  return (
    <nav aria-label="Breadcrumb">
      <ol className="crumbs">
        <li>
          <Link href="/backlog">Backlog</Link>
        </li>
        {trail.map((item) => (
          <li key={item.id}>
            <Link className="clip" href={itemHref(item.id)}>
              {item.title}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Standing({ item }: { item: Item }) {
  return (
    <div className="row-wrap">
      <span className="mono faint">{item.id}</span>
      <Badge word={item.type} tone="plain" />
      {item.priority === undefined ? null : <Badge word={item.priority} />}
      <Badge word={item.status} />
      <span className="faint">
        since <When at={item.status_since} />
      </span>
    </div>
  );
}

function About({ item }: { item: Item }) {
  return (
    <Card title="What it is">
      <div className="stack">
        {item.description ? <p className="prose">{item.description}</p> : <p className="faint">No description.</p>}
        {item.blocked_reason?.length ? (
          <p>
            <Badge word="blocked" /> {item.blocked_reason.join('; ')}
          </p>
        ) : null}
        {item.summary ? (
          <div>
            <h3>How it ended</h3>
            <p className="prose">{item.summary}</p>
          </div>
        ) : null}
        {item.evidence?.length ? <Texts title="Evidence" texts={item.evidence} /> : null}
        {item.references?.length ? <Texts title="References" texts={item.references.map(({ url, title }) => (title ? `${title} (${url})` : url))} /> : null}
        {item.due_date ? <p className="faint">Due {item.due_date}</p> : null}
      </div>
    </Card>
  );
}

function Texts({ title, texts }: { title: string; texts: string[] }) {
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {texts.map((text) => (
          <li className="soft" key={text}>
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Around({ of }: { of: Context }) {
  const seeAlso = [...(of.cross_referenced ?? []), ...(of.referenced_by ?? [])];
  return (
    <>
      <Entities title="Below it" list={of.children} />
      <KnownList title="Decided" list={of.decisions} />
      <KnownList title="Known about it" list={of.memories} />
      <Entities title="Related by meaning" list={of.related} />
      <Entities title="See also" list={seeAlso} />
      <Entities title="Beside it" list={of.siblings} />
    </>
  );
}

function LastSession({ of }: { of: Context }) {
  const session = of.session_summary;
  if (session === undefined) return null;
  return (
    <Card title="Last session" aside={<When at={session.ended_at} />}>
      <div className="stack">
        <p className="prose">{session.summary}</p>
        <div className="meta">
          <span>{session.actor}</span>
          <span>{many(session.operation_count, 'operation')}</span>
          <Link href={`/sessions/${encodeURIComponent(session.session_id)}`}>the whole session</Link>
        </div>
      </div>
    </Card>
  );
}
