// The frame around every page: where one is, where one can go, whether what is shown is live.

import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useLive, type LiveState } from '../api/live';
import { useAnswer } from '../api/questions';
import type { Page, Project, Waiting } from '../api/shapes';
import { Badge } from '../parts/badge';
import { count } from '../parts/words';
import { HELP, MARK } from './icons';
import { PLACES } from './places';
import { ProjectSwitcher } from './project-switcher';
import { Help, useShortcuts } from './shortcuts';
import { ThemeSwitch, useTheme } from './theme';

interface Props {
  projects: Project[];
  project: string;
  changeProject: (name: string) => void;
  children: ReactNode;
}

const LIVE_WORDS: Record<LiveState, string> = { connecting: 'Connecting', live: 'Live', away: 'Not connected' };

export function Shell({ projects, project, changeProject, children }: Props) {
  const [path, go] = useLocation();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const look = useTheme();
  const { state } = useLive();
  useShortcuts({ go, changeTheme: look.change, help: () => setHelpOpen(true) });
  const main = useFocusOnArrival(path);
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="side">
        <Link className="brand" href="/" aria-label="Throughline, to the overview">
          {MARK}
          <span>Throughline</span>
        </Link>
        <ProjectSwitcher projects={projects} current={project} change={changeProject} />
        <nav className="nav" aria-label="Pages">
          {PLACES.map((place) => (
            <Link key={place.path} href={place.path} aria-current={isAt(path, place.path) ? 'page' : undefined} title={`g ${place.key}`}>
              {place.icon}
              <span>{place.name}</span>
              {place.path === '/memories' ? <ReviewCount /> : null}
            </Link>
          ))}
        </nav>
        <div className="side-end">
          <div className="side-row">
            <span className="live" data-state={state} role="status">
              <span>{LIVE_WORDS[state]}</span>
            </span>
            <span className="row">
              <button type="button" className="button button-bare button-icon" onClick={() => setHelpOpen(true)} aria-label="Keyboard shortcuts" title="Keyboard shortcuts (?)">
                {HELP}
              </button>
              <ThemeSwitch {...look} />
            </span>
          </div>
        </div>
      </header>
      <main className="main" id="main" tabIndex={-1} ref={main}>
        {children}
      </main>
      <Help isOpen={isHelpOpen} close={() => setHelpOpen(false)} />
    </div>
  );
}

function isAt(path: string, place: string): boolean {
  return place === '/' ? path === '/' : path === place || path.startsWith(`${place}/`);
}

function ReviewCount() {
  const waiting = useAnswer<Page<Waiting>>('memories/review', { limit: 1 });
  const total = waiting.data?.total ?? 0;
  return total === 0 ? null : (
    <span className="count">
      <Badge word="waiting" tone="warm">
        {count(total)}
        <span className="visually-hidden"> to review</span>
      </Badge>
    </span>
  );
}

/** Whoever moves to another page begins at its top, also with the keyboard. */
function useFocusOnArrival(path: string) {
  const main = useRef<HTMLElement>(null);
  const last = useRef(path);
  useEffect(() => {
    if (last.current === path) return;
    last.current = path;
    main.current?.focus({ preventScroll: true });
    main.current?.scrollTo?.(0, 0);
  }, [path]);
  return main;
}
