// What stands where there is nothing to show: not yet, nothing, or a problem. Each says what to do.

import type { ReactNode } from 'react';
import { Problem } from '../api/ask';

export function Nothing({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="note">
      <strong>{title}</strong>
      {children === undefined ? null : <p>{children}</p>}
    </div>
  );
}

export function Failed({ error, again }: { error: Error; again?: () => void }) {
  const title = error instanceof Problem ? error.title : 'Something went wrong here';
  // What is not there is not there the second time either.
  const helps = !(error instanceof Problem && error.status === 404);
  return (
    <div className="note note-bad" role="alert">
      <strong>{title}</strong>
      {error.message === title ? null : <p>{error.message}</p>}
      {again === undefined || !helps ? null : (
        <button type="button" className="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}

export function Loading({ rows = 6 }: { rows?: number }) {
  return (
    <div className="bones" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <i key={row} />
      ))}
    </div>
  );
}

interface Asked<T> {
  data: T | undefined;
  error: Error | null;
  refetch?: () => unknown;
}

/** The answer, or what stands in its place. */
export function Answered<T>({ of, rows, children }: { of: Asked<T>; rows?: number; children: (answer: T) => ReactNode }) {
  if (of.data !== undefined) return children(of.data);
  if (of.error !== null) return <Failed error={of.error} again={() => void of.refetch?.()} />;
  return <Loading rows={rows} />;
}
