// What the project knows: to search, to trace back, and to say yes or no to.

import { Link } from 'wouter';
import { useAnswer, usePages } from '../../api/questions';
import type { Memory, Page as Listed, Waiting } from '../../api/shapes';
import { Badge } from '../../parts/badge';
import { Choice, SearchField } from '../../parts/field';
import { Nothing } from '../../parts/note';
import { Page } from '../../parts/page';
import { useSearchParam } from '../../parts/search-param';
import { Tabs } from '../../parts/tabs';
import { useTyped } from '../../parts/typed';
import { PagedList } from '../../parts/virtual-list';
import { When } from '../../parts/when';
import { count, percent, spoken } from '../../parts/words';
import { MemoryDetail } from './memory-detail';
import { ReviewQueue } from './review-queue';

const KINDS = ['fact', 'preference', 'rule', 'skill', 'context', 'decision', 'belief'];
const STATUSES = ['quarantined', 'superseded', 'expired', 'forgotten', 'any'];
const ROW_PX = 62;

export default function Memories({ id }: { id: string | undefined }) {
  const waiting = useAnswer<Listed<Waiting>>('memories/review', { limit: 1 });
  const total = waiting.data?.total ?? 0;
  return (
    <Page title="Memories" about="Statements that last, each with where it came from and how sure it is." tall>
      <Tabs
        name="Views of memories"
        tabs={[
          { id: 'all', name: 'All', content: <All id={id} /> },
          { id: 'review', name: total === 0 ? 'To review' : `To review (${count(total)})`, content: <ReviewQueue /> },
        ]}
      />
    </Page>
  );
}

function All({ id }: { id: string | undefined }) {
  const [query, setQuery] = useSearchParam('query');
  const [kind, setKind] = useSearchParam('kind');
  const [status, setStatus] = useSearchParam('status');
  const typed = useTyped(query);
  // A search finds what holds; without one everything can be listed.
  const of = typed === '' ? (status === 'any' ? { all: true } : { status }) : { query: typed };
  const memories = usePages<Memory>('memories', { ...of, kind });
  const isNarrowed = query !== '' || kind !== '' || status !== '';
  return (
    <>
      <div className="filters">
        <SearchField name="Find a memory" value={query} change={setQuery} hint="Words or what it is about" main />
        <Choice name="Kind" value={kind} options={KINDS} all="Every kind" change={setKind} />
        {typed === '' ? <Choice name="Status" value={status} options={STATUSES} all="Holds now" change={setStatus} /> : null}
      </div>
      <div className={id === undefined ? 'fill' : 'split'}>
        <div className="card list-card">
          <PagedList name="Memories" pages={memories} rowHeight={ROW_PX} idOf={(memory) => memory.id} chosen={id} nothing={isNarrowed ? <NoneFits /> : <None />}>
            {(memory) => <Row memory={memory} />}
          </PagedList>
        </div>
        {id === undefined ? null : <MemoryDetail id={id} key={id} />}
      </div>
    </>
  );
}

const NoneFits = () => <Nothing title="No memory fits">Use other words, or take away a filter.</Nothing>;

const None = () => (
  <Nothing title="Nothing is remembered yet">
    Memories come from what sessions say. One can be written down too: <code>throughline remember "…"</code>
  </Nothing>
);

function Row({ memory }: { memory: Memory }) {
  const search = new URLSearchParams(location.search).toString();
  return (
    <Link className="list-link" href={`/memories/${encodeURIComponent(memory.id)}${search === '' ? '' : `?${search}`}`}>
      <span className="row">
        <Badge word={memory.kind} />
        <span className="title clip">{memory.title}</span>
      </span>
      <span className="meta">
        {memory.status === 'active' ? null : <Badge word={memory.status} />}
        <span>{percent(memory.confidence_now ?? memory.confidence)} sure</span>
        <span>
          {spoken(memory.source)} by {memory.actor}
        </span>
        <When at={memory.created_at} />
      </span>
    </Link>
  );
}
