// A page: its title, what it is for, and its content.

import { useEffect, type ReactNode } from 'react';

interface Props {
  title: string;
  about?: ReactNode;
  before?: ReactNode;
  actions?: ReactNode;
  /** It fills the window and scrolls inside. */
  tall?: boolean;
  children: ReactNode;
}

export function Page({ title, about, before, actions, tall, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Throughline`;
  }, [title]);
  return (
    <div className={`page fade-in ${tall ? 'page-tall' : ''}`}>
      <header>
        {before}
        <div className="page-head">
          <div>
            <h1>{title}</h1>
            {about === undefined ? null : <p>{about}</p>}
          </div>
          {actions}
        </div>
      </header>
      {children}
    </div>
  );
}
