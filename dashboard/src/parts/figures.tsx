// A row of figures.

import type { ReactNode } from 'react';

export interface Figure {
  name: string;
  value: ReactNode;
  beside?: ReactNode;
}

export function Figures({ figures }: { figures: Figure[] }) {
  return (
    <dl className="figures">
      {figures.map(({ name, value, beside }) => (
        <div className="figure" key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            {beside === undefined ? null : <small>{beside}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
