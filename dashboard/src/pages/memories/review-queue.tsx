// What waits for somebody's word. `a` approves and `r` rejects the statement that has the focus.

import { useRef, useState, type KeyboardEvent } from 'react';
import { useChange, usePages } from '../../api/questions';
import type { Waiting } from '../../api/shapes';
import { Badge } from '../../parts/badge';
import { Failed, Loading, Nothing } from '../../parts/note';
import { When } from '../../parts/when';
import { count, percent, spoken } from '../../parts/words';
import { areOn } from '../../shell/shortcuts';

type Word = 'approve' | 'reject';

const PAST: Record<Word, string> = { approve: 'Approved', reject: 'Rejected' };

export function ReviewQueue() {
  const queue = usePages<Waiting>('memories/review');
  const [settled, setSettled] = useState<ReadonlySet<string>>(new Set());
  const [said, setSaid] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const judge = useChange<{ memory: Waiting; word: Word }>(({ memory, word }) => ({ path: `memories/${encodeURIComponent(memory.id)}/${word}` }));
  const waiting = queue.items.filter(({ id }) => !settled.has(id));

  const decide = (memory: Waiting, word: Word) => {
    const at = waiting.indexOf(memory);
    setSettled((before) => new Set([...before, memory.id]));
    judge.mutate(
      { memory, word },
      {
        onSuccess: () => setSaid(`${PAST[word]}: ${memory.title}`),
        onError: () => setSettled((before) => new Set([...before].filter((id) => id !== memory.id))),
        onSettled: queue.renew,
      },
    );
    // The next statement moves up to this place, and the focus with it.
    requestAnimationFrame(() => (list.current?.children[Math.min(at, list.current.children.length - 1)] as HTMLElement | undefined)?.focus());
  };

  if (queue.isPending) return <Loading />;
  if (queue.error !== null && queue.items.length === 0) return <Failed error={queue.error} again={queue.renew} />;
  return (
    <>
      <p role="status" className={said === '' ? 'visually-hidden' : 'banner'}>
        {said}
      </p>
      {judge.error === null ? null : <Failed error={judge.error} />}
      {waiting.length === 0 ? (
        <Nothing title="Nothing waits for you">What comes from a tool, contradicts something known, or is hardly sure is asked about here before it is used.</Nothing>
      ) : (
        <>
          <p className="faint">
            {count(Math.max(waiting.length, queue.total - settled.size))} to look at. With a statement in focus, <kbd className="kbd">a</kbd> approves and <kbd className="kbd">r</kbd> rejects.
          </p>
          <ul className="review-list" ref={list}>
            {waiting.map((memory) => (
              <One memory={memory} key={memory.id} decide={(word) => decide(memory, word)} />
            ))}
          </ul>
          {queue.hasMore ? (
            <button type="button" className="button" onClick={queue.more}>
              Show more
            </button>
          ) : null}
        </>
      )}
    </>
  );
}

// Whether the title is more than how the content begins.
function saysElse({ title, content }: Waiting) {
  const begins = title.replace(/…$/, '');
  return !content.replace(/\s+/g, ' ').trim().startsWith(begins);
}

function One({ memory, decide }: { memory: Waiting; decide: (word: Word) => void }) {
  const pressed = (event: KeyboardEvent) => {
    if (!areOn() || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'a') decide('approve');
    else if (event.key === 'r') decide('reject');
    else return;
    event.preventDefault();
  };
  return (
    <li className="card review" tabIndex={0} onKeyDown={pressed} aria-label={memory.title}>
      {saysElse(memory) ? <p className="title">{memory.title}</p> : null}
      <p className="statement">{memory.content}</p>
      <div className="spread">
        <div className="meta">
          <Badge word={memory.kind} />
          <span>{memory.why}</span>
          <span>{percent(memory.confidence)} sure</span>
          <span>
            {spoken(memory.source)} by {memory.actor}
          </span>
          <When at={memory.since} />
        </div>
        <div className="row">
          <button type="button" className="button" onClick={() => decide('reject')}>
            Reject
          </button>
          <button type="button" className="button button-main" onClick={() => decide('approve')}>
            Approve
          </button>
        </div>
      </div>
    </li>
  );
}
