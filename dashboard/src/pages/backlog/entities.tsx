// Items in short, with why they are there.

import { Link } from 'wouter';
import type { Entity } from '../../api/shapes';
import { Badge } from '../../parts/badge';
import { Card } from '../../parts/card';
import { Meter } from '../../parts/meter';
import { count } from '../../parts/words';
import { itemHref } from './item-row';

export function Entities({ title, list }: { title: string; list: Entity[] | undefined }) {
  if (list === undefined || list.length === 0) return null;
  return (
    <Card title={title} aside={count(list.length)}>
      <ul className="plain-list">
        {list.map((item) => (
          <li key={item.id}>
            <div className="spread">
              <Link className="title clip" href={itemHref(item.id)}>
                {item.title}
              </Link>
              <span className="row">
                {item.relevance_score === undefined ? null : <Meter share={item.relevance_score} name="Relevance" />}
                <Badge word={item.status} />
              </span>
            </div>
            {item.excerpt === undefined ? null : <p className="faint cut-two">{item.excerpt}</p>}
          </li>
        ))}
      </ul>
    </Card>
  );
}
