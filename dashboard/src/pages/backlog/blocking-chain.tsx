// What an item waits for, what that waits for in turn, and what waits for it.

import { Link } from 'wouter';
import { useAnswer } from '../../api/questions';
import type { Blocking, Context, Item, Page } from '../../api/shapes';
import { Badge } from '../../parts/badge';
import { Card } from '../../parts/card';
import { Answered } from '../../parts/note';
import { itemHref } from './item-row';

const INDENT_PX = 14;

export function BlockingChain({ item, around }: { item: Item; around: Context | undefined }) {
  const blocking = useAnswer<Page<Blocking>>(`items/${encodeURIComponent(item.id)}/blocking`);
  const waiting = item.blocks ?? [];
  return (
    <Card title="Blocking chain">
      <Answered of={blocking} rows={2}>
        {({ items }) => (
          <div className="stack">
            {items.length + waiting.length === 0 ? <p className="faint">It waits for nothing, and nothing waits for it.</p> : null}
            <WaitsFor chain={items} />
            <Waiting ids={waiting} around={around} />
          </div>
        )}
      </Answered>
    </Card>
  );
}

function WaitsFor({ chain }: { chain: Blocking[] }) {
  if (chain.length === 0) return null;
  return (
    <div>
      <h3>It waits for</h3>
      <ul className="plain-list">
        {chain.map((link) => (
          <li key={link.id} style={{ paddingLeft: (link.depth - 1) * INDENT_PX }}>
            <div className="spread">
              <Link className="clip" href={itemHref(link.id)}>
                {link.title}
              </Link>
              <Badge word={link.status} />
            </div>
            {link.depth > 1 ? <p className="faint">which {link.waiting} waits for</p> : null}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Waiting({ ids, around }: { ids: string[]; around: Context | undefined }) {
  if (ids.length === 0) return null;
  const known = new Map(around?.dependencies?.map((item) => [item.id, item]));
  return (
    <div>
      <h3>Waiting for it</h3>
      <ul className="plain-list">
        {ids.map((id) => (
          <li className="spread" key={id}>
            <Link className="clip" href={itemHref(id)}>
              {known.get(id)?.title ?? id}
            </Link>
            {known.has(id) ? <Badge word={known.get(id)!.status} /> : null}
          </li>
        ))}
      </ul>
    </div>
  );
}
