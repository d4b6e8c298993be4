// A piece of a page with a heading of its own.

import { useId, type ReactNode } from 'react';

interface Props {
  title: string;
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}

export function Card({ title, aside, className, children }: Props) {
  const id = useId();
  return (
    <section className={`card ${className ?? ''}`} aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{title}</h2>
        {aside === undefined ? null : <p>{aside}</p>}
      </div>
      <div className="card-body">{children}</div>
    </section>
  );
}
