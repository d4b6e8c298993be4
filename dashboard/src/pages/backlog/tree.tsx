// The backlog as a tree. Up and down move, right opens, left closes, Enter leads to the item.

import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useLocation } from 'wouter';
import { usePages } from '../../api/questions';
import type { Stub } from '../../api/shapes';
import { Badge } from '../../parts/badge';
import { Failed, Loading, Nothing } from '../../parts/note';
import { count, many } from '../../parts/words';
import { CHEVRON } from '../../shell/icons';
import { useRows, type Row } from './branches';
import { itemHref } from './item-row';

const ROW_PX = 38;
const INDENT_PX = 22;
const AHEAD = 30;
/** So few at the top are shown with what is below them. */
const OPENED_ROOTS = 12;

export function Tree() {
  const roots = usePages<Stub>('items', { parent: 'root' });
  if (roots.isPending) return <Loading rows={10} />;
  if (roots.error !== null && roots.items.length === 0) return <Failed error={roots.error} again={roots.renew} />;
  if (roots.items.length === 0) {
    return (
      <Nothing title="There is no work on record">
        Agents make items with the tool <code>backlog_create</code>. From a terminal: <code>throughline task create "Title"</code>, or bring what is there with{' '}
        <code>throughline task import</code>.
      </Nothing>
    );
  }
  return (
    <div className="card list-card">
      <Rows roots={roots.items} more={roots.hasMore ? roots.more : undefined} />
      <div className="list-foot">
        {count(roots.items.length)} of {many(roots.total, 'item')} at the top
        {roots.isBehind ? (
          <button type="button" className="button button-bare" onClick={roots.renew}>
            There is something newer: show it
          </button>
        ) : null}
      </div>
    </div>
  );
}

function Rows({ roots, more }: { roots: Stub[]; more: (() => void) | undefined }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => firstOpen(roots));
  const [current, setCurrent] = useState(0);
  const [, go] = useLocation();
  const rows = useRows(roots, open);
  const place = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({ count: rows.length, getScrollElement: () => place.current, estimateSize: () => ROW_PX, overscan: 12, getItemKey: (index) => rows[index]!.id });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - AHEAD) more?.();
  }, [last, rows.length, more]);
  const toggle = (id: string) => setOpen((before) => (before.has(id) ? new Set([...before].filter((one) => one !== id)) : new Set([...before, id])));
  const awaited = useRef(false);
  const moveTo = (to: number) => {
    awaited.current = true;
    setCurrent(to);
    virtual.scrollToIndex(to);
  };
  useEffect(() => {
    const row = awaited.current ? place.current?.querySelector<HTMLElement>(`[data-row="${current}"]`) : null;
    if (row == null) return;
    awaited.current = false;
    row.focus({ preventScroll: true });
  });
  const pressed = (event: KeyboardEvent) => {
    const row = rows[current];
    if (row === undefined || !act(event.key, row, current, rows, { moveTo, toggle, go })) return;
    event.preventDefault();
  };
  return (
    <div className="list" ref={place}>
      <div className="list-inside" role="tree" aria-label="Backlog" style={{ height: virtual.getTotalSize() }} onKeyDown={pressed}>
        {shown.map(({ index, key, start }) => {
          const row = rows[index]!;
          return (
            <div
              className="list-row"
              key={key}
              data-row={index}
              role="treeitem"
              aria-level={row.level}
              aria-expanded={isParent(row) ? row.isOpen : undefined}
              aria-selected={index === current}
              tabIndex={index === Math.min(current, rows.length - 1) ? 0 : -1}
              onFocus={() => setCurrent(index)}
              onClick={() => go(itemHref(row.kind === 'item' ? row.id : row.parent))}
              style={{ height: ROW_PX, transform: `translateY(${start}px)` }}
            >
              <Inside row={row} toggle={toggle} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function firstOpen(roots: Stub[]): ReadonlySet<string> {
  if (roots.length > OPENED_ROOTS) return new Set();
  return new Set(roots.filter((root) => root.child_count).map(({ id }) => id));
}

interface Acts {
  moveTo: (row: number) => void;
  toggle: (id: string) => void;
  go: (path: string) => void;
}

const isParent = (row: Row): row is Row & { kind: 'item' } => row.kind === 'item' && (row.item.child_count ?? 0) > 0;

function act(key: string, row: Row, at: number, rows: Row[], { moveTo, toggle, go }: Acts): boolean {
  const parent = () => rows.findLastIndex((other, place) => place < at && other.level < row.level);
  if (key === 'ArrowDown' || key === 'j') moveTo(Math.min(at + 1, rows.length - 1));
  else if (key === 'ArrowUp' || key === 'k') moveTo(Math.max(at - 1, 0));
  else if (key === 'Home') moveTo(0);
  else if (key === 'End') moveTo(rows.length - 1);
  else if (key === 'ArrowRight' && isParent(row) && !row.isOpen) toggle(row.id);
  else if (key === 'ArrowRight' && isParent(row)) moveTo(at + 1);
  else if (key === 'ArrowLeft' && isParent(row) && row.isOpen) toggle(row.id);
  else if (key === 'ArrowLeft' && row.level > 1) moveTo(parent());
  else if (key === 'Enter') go(itemHref(row.kind === 'item' ? row.id : row.parent));
  else return false;
  return true;
}

function Inside({ row, toggle }: { row: Row; toggle: (id: string) => void }) {
  const indent = <span className="indent" style={{ width: (row.level - 1) * INDENT_PX }} />;
  if (row.kind === 'rest') {
    return (
      <div className="tree-row faint">
        {indent}
        <span className="tree-twist" />
        and {many(row.left, 'more item')}: open the item above them
      </div>
    );
  }
  const { item } = row;
  return (
    <div className="tree-row">
      {indent}
      <span
        className="tree-twist"
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          toggle(item.id);
        }}
      >
        {isParent(row) ? <span className={row.isOpen ? 'twisted' : undefined}>{CHEVRON}</span> : null}
      </span>
      <span className="title clip">{item.title}</span>
      <span className="faint mono">{item.id}</span>
      <span className="row" style={{ marginLeft: 'auto' }}>
        {item.child_count ? <span className="faint">{count(item.child_count)}</span> : null}
        {item.priority === undefined ? null : <Badge word={item.priority} />}
        <Badge word={item.status} />
      </span>
    </div>
  );
}
