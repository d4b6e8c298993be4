// What can be filled in.

import type { ReactNode } from 'react';
import { spoken } from './words';

interface TextProps {
  name: string;
  value: string;
  change: (value: string) => void;
  hint?: string;
  /** `/` leads here. */
  main?: boolean;
}

export function SearchField({ name, value, change, hint, main }: TextProps) {
  return (
    <label className="field grow">
      {name}
      <input className="input" type="search" value={value} placeholder={hint} data-main={main} onChange={(event) => change(event.target.value)} />
    </label>
  );
}

interface ChoiceProps {
  name: string;
  value: string;
  options: readonly string[];
  /** What no choice is called. */
  all?: string;
  change: (value: string) => void;
}

export function Choice({ name, value, options, all, change }: ChoiceProps) {
  return (
    <label className="field">
      {name}
      <select className="input" value={value} onChange={(event) => change(event.target.value)}>
        {all === undefined ? null : <option value="">{all}</option>}
        {options.map((option) => (
          <option key={option} value={option}>
            {spoken(option)}
          </option>
        ))}
      </select>
    </label>
  );
}

export function Check({ checked, change, children }: { checked: boolean; change: (checked: boolean) => void; children: ReactNode }) {
  return (
    <label className="check">
      <input type="checkbox" checked={checked} onChange={(event) => change(event.target.checked)} />
      {children}
    </label>
  );
}
