// A list of any length: only the rows in sight are in the page, and more are asked for before its end is reached.
// Up, down, j, k, Home and End move between rows.

import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import type { Pages } from '../api/questions';
import { Failed, Loading } from './note';
import { count } from './words';

interface Props<T> {
  name: string;
  rows: T[];
  rowHeight: number;
  idOf: (row: T) => string;
  chosen?: string;
  more?: () => void;
  children: (row: T, index: number) => ReactNode;
}

/** So many rows before the end, more are asked for. */
const AHEAD = 20;

export function VirtualList<T>({ name, rows, rowHeight, idOf, chosen, more, children }: Props<T>) {
  const place = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    getItemKey: (index) => idOf(rows[index]!),
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - AHEAD) more?.();
  }, [last, rows.length, more]);
  // A row that is not in the page yet gets the focus when it is; further keys go on from there.
  const awaited = useRef<number | null>(null);
  const move = (event: KeyboardEvent) => {
    const to = target(event.key, awaited.current ?? rowOf(document.activeElement), rows.length);
    if (to === null) return;
    event.preventDefault();
    virtual.scrollToIndex(to);
    awaited.current = focusRow(place.current, to) ? null : to;
  };
  useEffect(() => {
    if (awaited.current !== null && focusRow(place.current, awaited.current)) awaited.current = null;
  });
  return (
    <div className="list" ref={place} role="region" aria-label={name} tabIndex={0} onKeyDown={move}>
      <ul className="list-inside" style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, key, start }) => (
          <li
            className="list-row"
            key={key}
            data-row={index}
            data-chosen={chosen !== undefined && idOf(rows[index]!) === chosen}
            aria-posinset={index + 1}
            aria-setsize={rows.length}
            style={{ height: rowHeight, transform: `translateY(${start}px)` }}
          >
            {children(rows[index]!, index)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function target(key: string, now: number | null, length: number): number | null {
  const at = now ?? -1;
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return Math.min(at + 1, length - 1);
    case 'ArrowUp':
    case 'k':
      return Math.max(at - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return length - 1;
    default:
      return null;
  }
}

function rowOf(element: Element | null): number | null {
  const row = element?.closest('[data-row]')?.getAttribute('data-row');
  return row === null || row === undefined ? null : Number(row);
}

function focusRow(place: HTMLElement | null, row: number): boolean {
  const inside = place?.querySelector<HTMLElement>(`[data-row="${row}"] :is(a, button)`);
  inside?.focus({ preventScroll: true });
  return inside != null;
}

interface PagedProps<T> extends Omit<Props<T>, 'rows' | 'more'> {
  pages: Pages<T>;
  /** What stands there when there is nothing. */
  nothing: ReactNode;
  /** The rows, when not all that is loaded is to be seen. */
  rows?: T[];
}

/** A list that is read page by page, with where one stands in it. */
export function PagedList<T>({ pages, nothing, rows, ...list }: PagedProps<T>) {
  if (pages.isPending) return <Loading rows={9} />;
  if (pages.error !== null && pages.items.length === 0) return <Failed error={pages.error} again={pages.renew} />;
  if (pages.items.length === 0) return nothing;
  return (
    <>
      <VirtualList {...list} rows={rows ?? pages.items} more={pages.hasMore ? pages.more : undefined} />
      <div className="list-foot">
        <span>
          {count(pages.items.length)} of {count(Math.max(pages.total, pages.items.length))}
          {pages.isLoadingMore ? ', loading more' : ''}
        </span>
        {pages.isBehind ? (
          <button type="button" className="button button-bare" onClick={pages.renew}>
            There is something newer: show it
          </button>
        ) : null}
      </div>
    </>
  );
}
