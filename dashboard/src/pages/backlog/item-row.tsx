// An item on two lines of a list.

import { Link } from 'wouter';
import type { Stub } from '../../api/shapes';
import { Badge } from '../../parts/badge';
import { When } from '../../parts/when';
import { many } from '../../parts/words';

export const itemHref = (id: string): string => `/backlog/${encodeURIComponent(id)}`;

export function ItemRow({ item, withStatus = true }: { item: Stub; withStatus?: boolean }) {
  return (
    <Link className="list-link" href={itemHref(item.id)}>
      <span className="row">
        {withStatus ? <Badge word={item.status} /> : null}
        <span className="title clip">{item.title}</span>
      </span>
      <span className="meta">
        <span className="mono">{item.id}</span>
        {item.type === 'task' ? null : <span>{item.type}</span>}
        {item.priority === undefined ? null : <span>{item.priority}</span>}
        {item.child_count ? <span>{many(item.child_count, 'child', 'children')}</span> : null}
        <When at={item.updated_at} />
      </span>
    </Link>
  );
}
