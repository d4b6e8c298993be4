// A part of the view that is kept in the address.

import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

export function useSearchParam(name: string, otherwise = ''): [string, (value: string) => void] {
  const [params, setParams] = useSearchParams();
  const set = useCallback(
    (value: string) => {
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          if (value === otherwise || value === '') after.delete(name);
          else after.set(name, value);
          return after;
        },
        { replace: true },
      );
    },
    [name, otherwise, setParams],
  );
  return [params.get(name) ?? otherwise, set];
}
