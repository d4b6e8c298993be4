import { address, ask, Problem } from './ask';
import { getToken, giveToken } from './token';

test('what is not given is not in the address', () => {
  expect(address('items', { project: 'a/b c', parent: 'root', query: '', cursor: null, type: undefined })).toBe('/api/items?project=a%2Fb+c&parent=root');
});

test('a problem is told as the server tells it', async () => {
  const told = { title: 'No such item', detail: 'Did you mean TASK-0001?' };
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json(told, { status: 404 }));
  const problem = await ask('/api/items/TASK-1').catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(Problem);
  expect(problem).toMatchObject({ status: 404, title: 'No such item', message: 'Did you mean TASK-0001?' });
});

test('a server that is gone says what to do', async () => {
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('failed'));
  await expect(ask('/api/projects')).rejects.toThrow(/throughline serve/);
});

test('a token goes with every request and stays in the tab', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(Response.json({})));
  giveToken(' secret ');
  await ask('/api/projects');
  expect(new Headers(fetched.mock.calls[0]?.[1]?.headers).get('authorization')).toBe('Bearer secret');
  expect(getToken()).toBe('secret');
  expect(localStorage.length).toBe(0);
});
