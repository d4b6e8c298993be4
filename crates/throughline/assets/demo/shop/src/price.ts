import type { Line } from './api';

/** The total of a cart in cents. */
export function total(lines: Line[]): number {
  return lines.reduce((sum, line) => sum + line.cents * line.count, 0);
}

/** Half a cent goes to the even neighbour, as banks do. */
export function roundHalfToEven(cents: number): number {
  const below = Math.floor(cents);
  const rest = cents - below;
  if (rest !== 0.5) return Math.round(cents);
  return below % 2 === 0 ? below : below + 1;
}
