// Questions to the server: one at a time, or lists page by page.

import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { address, ask, send, type Params } from './ask';
import { useLive } from './live';
import { useProject } from './project';
import type { Page } from './shapes';

interface Asking {
  enabled?: boolean;
  /** What was there stays until the new answer comes. */
  keep?: boolean;
  /** An answer that changes only when somebody asks. */
  once?: boolean;
}

export function useAnswer<T>(path: string, params: Params = {}, asking: Asking = {}): UseQueryResult<T, Error> {
  const project = useProject();
  return useQuery<T, Error>({
    queryKey: [project, asking.once ? 'once' : 'one', path, params],
    queryFn: ({ signal }) => ask<T>(address(path, { project, ...params }), { signal }),
    enabled: asking.enabled ?? true,
    placeholderData: asking.keep ? keepPreviousData : undefined,
  });
}

export interface Pages<T> {
  items: T[];
  total: number;
  isPending: boolean;
  error: Error | null;
  hasMore: boolean;
  isLoadingMore: boolean;
  more: () => void;
  /** Something happened since, and too much is loaded to ask for all of it again. */
  isBehind: boolean;
  renew: () => void;
}

const FIRST_ROWS = 100;
/** Whoever reads on wants much. */
const MORE_ROWS = 500;
/** Up to so many pages are asked again when something happens. */
const RENEWED_PAGES = 2;

export function usePages<T>(path: string, params: Params = {}): Pages<T> {
  const project = useProject();
  const client = useQueryClient();
  const key = [project, 'pages', path, params];
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      ask<Page<T>>(address(path, { project, limit: pageParam === null ? FIRST_ROWS : MORE_ROWS, ...params, cursor: pageParam }), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
    // Comparing everything with what was there before would cost more with every page.
    structuralSharing: false,
  });
  const pages = query.data?.pages;
  const items = useMemo(() => pages?.flatMap((page) => page.items) ?? [], [pages]);
  const fromTheTop = () => void client.resetQueries({ queryKey: key, exact: true });
  const isBehind = useRenewal(pages?.length ?? 0, () => void query.refetch(), JSON.stringify(key));
  return {
    items,
    total: pages?.[0]?.total ?? 0,
    isPending: query.isPending,
    error: query.error,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    more: () => void (query.isFetching || query.fetchNextPage()),
    isBehind,
    renew: fromTheTop,
  };
}

function useRenewal(loaded: number, refetch: () => void, key: string): boolean {
  const { changes } = useLive();
  const [seen, setSeen] = useState({ changes, key });
  const latest = useRef({ loaded, refetch });
  latest.current = { loaded, refetch };
  useEffect(() => {
    const { loaded, refetch } = latest.current;
    if (changes === seen.changes && key === seen.key) return;
    if (key === seen.key && loaded > RENEWED_PAGES) return;
    if (key === seen.key && loaded > 0) refetch();
    setSeen({ changes, key });
  }, [changes, key, seen, loaded]);
  return changes !== seen.changes && loaded > RENEWED_PAGES;
}

/** Changes something, then asks again for everything that is on the screen. */
export function useChange<V, T = unknown>(change: (value: V) => { path: string; body?: unknown }) {
  const project = useProject();
  const client = useQueryClient();
  return useMutation<T, Error, V>({
    mutationFn: (value) => {
      const { path, body } = change(value);
      return send<T>('POST', address(path, { project }), body);
    },
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === project }),
  });
}
