// The keyboard: where keys lead, and the page that says so. They can be switched off, for those whose tools type letters.

import fontLicense from '@fontsource-variable/inter/LICENSE?url';
import { useEffect, useRef, useState } from 'react';
import { Check } from '../parts/field';
import { PLACES } from './places';

const KEY = 'throughline.shortcuts';
/** So long after `g` the next key still belongs to it. */
const TOGETHER_MS = 1200;

interface Leads {
  go: (path: string) => void;
  changeTheme: () => void;
  help: () => void;
}

export const areOn = (): boolean => localStorage.getItem(KEY) !== 'off';

export function useShortcuts(leads: Leads): void {
  const latest = useRef(leads);
  latest.current = leads;
  useEffect(() => {
    let gAt = 0;
    const pressed = (event: KeyboardEvent) => {
      if (!areOn() || isTyping(event)) return;
      const place = event.timeStamp - gAt < TOGETHER_MS ? PLACES.find(({ key }) => key === event.key) : undefined;
      gAt = event.key === 'g' ? event.timeStamp : 0;
      if (place !== undefined) latest.current.go(place.path);
      else if (event.key === 't') latest.current.changeTheme();
      else if (event.key === '?') latest.current.help();
      else if (event.key === '/') document.querySelector<HTMLElement>('[data-main="true"]')?.focus();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
}

function isTyping(event: KeyboardEvent): boolean {
  const at = event.target as HTMLElement | null;
  return event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || at?.matches?.('input, textarea, select, dialog *') === true;
}

const OTHERS: [string[], string][] = [
  [['/'], 'to the search of the page'],
  [['j', 'k'], 'down and up in a list'],
  [['a', 'r'], 'approve, reject in the review queue'],
  [['t'], 'light, dark or as the system has it'],
  [['?'], 'this list'],
];

export function Help({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [on, setOn] = useState(areOn);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const change = (checked: boolean) => {
    localStorage.setItem(KEY, checked ? 'on' : 'off');
    setOn(checked);
  };
  return (
    <dialog className="dialog" ref={dialog} onClose={close} aria-labelledby="help-title">
      <div className="dialog-body">
        <div className="spread">
          <h2 id="help-title">Keyboard</h2>
          <button type="button" className="button" onClick={close}>
            Close
          </button>
        </div>
        <dl className="shortcuts">
          {PLACES.map((place) => (
            <Keys key={place.key} keys={['g', place.key]} name={place.name} />
          ))}
          {OTHERS.map(([keys, name]) => (
            <Keys key={name} keys={keys} name={name} />
          ))}
        </dl>
        <Check checked={on} change={change}>
          Single keys do something
        </Check>
        <p className="faint small">
          Licenses of <a href="/licenses.md">what this page is made of</a> and of <a href={fontLicense}>its font</a>
        </p>
      </div>
    </dialog>
  );
}

function Keys({ keys, name }: { keys: string[]; name: string }) {
  return (
    <>
      <dt>
        {keys.map((key) => (
          <kbd className="kbd" key={key}>
            {key}
          </kbd>
        ))}
      </dt>
      <dd>{name}</dd>
    </>
  );
}
