// What is being typed, told on when the typing pauses.

import { useEffect, useState } from 'react';

const PAUSE_MS = 200;

export function useTyped(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
