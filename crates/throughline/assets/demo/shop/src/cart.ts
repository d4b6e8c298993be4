import type { Api, Line } from './api';

/** All lines of a cart: the API gives a hundred at a time, and a cursor as long as there are more. */
export async function lines(api: Api, cart: string): Promise<Line[]> {
  const all: Line[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.get(`/carts/${cart}/lines`, { cursor });
    all.push(...page.lines);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return all;
}
