// The work: as a tree, as a board, or what matches some words.

import { usePages } from '../../api/questions';
import type { Stub } from '../../api/shapes';
import { Choice, SearchField } from '../../parts/field';
import { Nothing } from '../../parts/note';
import { Page } from '../../parts/page';
import { useSearchParam } from '../../parts/search-param';
import { Tabs } from '../../parts/tabs';
import { useTyped } from '../../parts/typed';
import { PagedList } from '../../parts/virtual-list';
import { Board } from './board';
import { ItemRow } from './item-row';
import { Tree } from './tree';

const STATUSES = ['open', 'in_progress', 'blocked', 'done', 'cancelled'];
const TYPES = ['task', 'epic', 'milestone', 'folder', 'artifact'];
const ROW_PX = 58;

export default function Backlog() {
  const [query, setQuery] = useSearchParam('query');
  const [status, setStatus] = useSearchParam('status');
  const [type, setType] = useSearchParam('type');
  const typed = useTyped(query);
  const isNarrowed = typed !== '' || status !== '' || type !== '';
  return (
    <Page title="Backlog" about="What is to be done, what it hangs on, and who is at it." tall>
      <div className="filters">
        <SearchField name="Find work" value={query} change={setQuery} hint="Words or what it is about" main />
        <Choice name="Status" value={status} options={STATUSES} all="Any status" change={setStatus} />
        <Choice name="Type" value={type} options={TYPES} all="Any type" change={setType} />
      </div>
      {isNarrowed ? (
        <Matching params={{ query: typed, status, type }} />
      ) : (
        <Tabs
          name="Views of the backlog"
          tabs={[
            { id: 'tree', name: 'Tree', content: <Tree /> },
            { id: 'board', name: 'Board', content: <Board /> },
          ]}
        />
      )}
    </Page>
  );
}

function Matching({ params }: { params: Record<string, string> }) {
  const items = usePages<Stub>('items', params);
  return (
    <div className="card list-card">
      <PagedList name="Matching items" pages={items} rowHeight={ROW_PX} idOf={(item) => item.id} nothing={<Nothing title="No item fits">Use other words, or take away a filter.</Nothing>}>
        {(item) => <ItemRow item={item} />}
      </PagedList>
    </div>
  );
}
