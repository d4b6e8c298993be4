// The work by its status, one column each.

import { useId } from 'react';
import { usePages } from '../../api/questions';
import type { Stub } from '../../api/shapes';
import { Nothing } from '../../parts/note';
import { PagedList } from '../../parts/virtual-list';
import { count, spoken } from '../../parts/words';
import { ItemRow } from './item-row';

const COLUMNS = ['open', 'in_progress', 'blocked', 'done'];
const ROW_PX = 62;

export function Board() {
  return (
    <div className="board">
      {COLUMNS.map((status) => (
        <Column status={status} key={status} />
      ))}
    </div>
  );
}

function Column({ status }: { status: string }) {
  const id = useId();
  const items = usePages<Stub>('items', { status });
  const name = spoken(status);
  return (
    <section className="card board-column" aria-labelledby={id}>
      <h2 id={id}>
        {name[0]?.toUpperCase()}
        {name.slice(1)} <span className="faint">{items.isPending ? '' : count(items.total)}</span>
      </h2>
      <PagedList name={`Items that are ${name}`} pages={items} rowHeight={ROW_PX} idOf={(item) => item.id} nothing={<Nothing title={`Nothing is ${name}`} />}>
        {(item) => <ItemRow item={item} withStatus={false} />}
      </PagedList>
    </section>
  );
}
