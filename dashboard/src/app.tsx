// The whole: which project, which page.

import { QueryClient, QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { address, ask, Problem } from './api/ask';
import { LiveProvider } from './api/live';
import { ProjectProvider } from './api/project';
import type { Overview as InNumbers, Page as Listed, Project } from './api/shapes';
import { useTokenWanted } from './api/token';
import { Failed, Loading, Nothing } from './parts/note';
import { Page } from './parts/page';
import { Shell } from './shell/shell';
import { TokenEntry } from './shell/token-entry';
import { Overview } from './pages/overview/overview';

const WorkingSet = lazy(() => import('./pages/working-set/working-set'));
const Backlog = lazy(() => import('./pages/backlog/backlog'));
const ItemPage = lazy(() => import('./pages/backlog/item'));
const Sessions = lazy(() => import('./pages/sessions/sessions'));
const SessionPage = lazy(() => import('./pages/sessions/session'));
const Memories = lazy(() => import('./pages/memories/memories'));
const Code = lazy(() => import('./pages/code/code'));
const Inspector = lazy(() => import('./pages/inspector/inspector'));

const LAST_PROJECT = 'throughline.project';

/** No answer, too many questions, a busy database: it may go better the next time. */
const PASSING = [0, 429, 503];

const newClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // The log says when something changed.
        staleTime: 30_000,
        retry: (times, error) => times < 3 && error instanceof Problem && PASSING.includes(error.status),
        retryDelay: (times) => 400 * 2 ** times,
      },
    },
  });

export function App() {
  const [client] = useState(newClient);
  return (
    <QueryClientProvider client={client}>
      <Start />
    </QueryClientProvider>
  );
}

function Start() {
  const isTokenWanted = useTokenWanted();
  const queries = useQueryClient();
  const projects = useQuery({ queryKey: ['projects'], queryFn: () => ask<Listed<Project>>(address('projects', { limit: 500 })) });
  if (isTokenWanted) return <TokenEntry given={() => void queries.resetQueries()} />;
  if (projects.data !== undefined) return <Chosen projects={projects.data.items} />;
  if (projects.error !== null) {
    return (
      <main>
        <Failed error={projects.error} again={() => void projects.refetch()} />
      </main>
    );
  }
  return (
    <main className="page">
      <Loading />
    </main>
  );
}

function Chosen({ projects }: { projects: Project[] }) {
  const [path, go] = useLocation();
  const named = /^\/p\/([^/]+)/.exec(path)?.[1];
  const name = named === undefined ? undefined : decoded(named);
  useEffect(() => {
    if (name !== undefined) localStorage.setItem(LAST_PROJECT, name);
  }, [name]);
  if (projects.length === 0) return <NoProject />;
  if (named === undefined || name === undefined) return <Own projects={projects} />;
  const change = (other: string) => go(`/p/${encodeURIComponent(other)}`);
  return (
    <Router base={`/p/${named}`}>
      <ProjectProvider name={name} key={name}>
        <LiveProvider project={name}>
          <Shell projects={projects} project={name} changeProject={(other) => window.setTimeout(() => change(other))}>
            <Suspense fallback={<Loading />}>
              <Pages />
            </Suspense>
          </Shell>
        </LiveProvider>
      </ProjectProvider>
    </Router>
  );
}

function Pages() {
  return (
    <Switch>
      <Route path="/" component={Overview} />
      <Route path="/working-set" component={WorkingSet} />
      <Route path="/backlog" component={Backlog} />
      <Route path="/backlog/:id">{({ id }) => <ItemPage id={decoded(id)} key={id} />}</Route>
      <Route path="/sessions" component={Sessions} />
      <Route path="/sessions/:id">{({ id }) => <SessionPage id={decoded(id)} key={id} />}</Route>
      <Route path="/memories/:id?">{({ id }) => <Memories id={id === undefined ? undefined : decoded(id)} />}</Route>
      <Route path="/code" component={Code} />
      <Route path="/inspector" component={Inspector} />
      <Route>
        <Page title="Nothing here">
          <Nothing title="There is no such page">The list on the left has them all.</Nothing>
        </Page>
      </Route>
    </Switch>
  );
}

function NoProject() {
  return (
    <main>
      <Nothing title="Nothing has been recorded yet">
        Connect an agent with <code>throughline install claude-code</code>, or see it at work with <code>throughline demo --keep</code>. Then load this page again.
      </Nothing>
    </main>
  );
}

/** To the project of the folder that the server was started in, else to the one that was looked at last. */
function Own({ projects }: { projects: Project[] }) {
  const own = useQuery({ queryKey: ['own'], queryFn: () => ask<InNumbers>(address('overview')) });
  if (own.isPending) return <Loading />;
  const last = localStorage.getItem(LAST_PROJECT);
  const found = projects.find(({ name }) => name === own.data?.project) ?? projects.find(({ name }) => name === last) ?? projects[0];
  return <Redirect to={`/p/${encodeURIComponent(found?.name ?? '')}`} replace />;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
