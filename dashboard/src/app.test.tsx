import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { App } from './app';
import { holdSockets, serve } from './testing/server';

const project = (name: string) => ({ id: name, name, created_at: '2026-11-01T00:00:00Z', events: 3, keys: [] });
const of = <T,>(items: T[]) => ({ items, next: null, total: items.length });

test('a token is asked for where the server wants one, until it takes it', async () => {
  holdSockets();
  const fetched = vi.spyOn(globalThis, 'fetch');
  fetched.mockImplementation((_, init) => {
    const knows = new Headers(init?.headers).get('authorization') === 'Bearer tl_right';
    return Promise.resolve(knows ? Response.json(of([])) : Response.json({ title: 'Unauthorized', detail: 'send a token' }, { status: 401 }));
  });
  render(<App />);
  await userEvent.type(await screen.findByLabelText('Token'), 'tl_wrong{Enter}');
  await screen.findByText(/It did not take the one that was given/);
  await userEvent.clear(screen.getByLabelText('Token'));
  await userEvent.type(screen.getByLabelText('Token'), 'tl_right{Enter}');
  expect(await screen.findByText('Nothing has been recorded yet')).toBeVisible();
});

test('it opens at the project of the server, whatever its name has in it', async () => {
  holdSockets();
  history.replaceState(null, '', '/');
  serve({ projects: of([project('alpha'), project('team/shop 2')]), overview: { project: 'team/shop 2', counts: { events: 0 } }, 'memories/review': of([]) });
  render(<App />);
  expect(await screen.findByText('Nothing has been recorded in this project')).toBeVisible();
  expect(location.pathname).toBe('/p/team%2Fshop%202');
  expect(new URL(screen.getByRole<HTMLAnchorElement>('link', { name: 'Backlog' }).href).pathname).toBe('/p/team%2Fshop%202/backlog');
  expect(screen.getByRole('link', { name: 'Overview' })).toHaveAttribute('aria-current', 'page');
});
