// Numbers, times and names as people read them.

const whole = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });
const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hour12: false });
const full = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium', hour12: false });

export const count = (n: number): string => whole.format(n);
export const brief = (n: number): string => (Math.abs(n) < 10_000 ? whole.format(n) : compact.format(n));
export const percent = (share: number): string => `${Math.round(share * 100)} %`;
export const dayName = (at: string): string => day.format(new Date(at));
export const clockTime = (at: string): string => clock.format(new Date(at));
export const exactTime = (at: string): string => full.format(new Date(at));

/** `3 tasks`, `1 task` */
export const many = (n: number, one: string, more = `${one}s`): string => `${count(n)} ${n === 1 ? one : more}`;

/** `in_progress` → `in progress` */
export const spoken = (word: string): string => word.replaceAll('_', ' ');

const STEPS: [number, string][] = [
  [86_400 * 365, 'y'],
  [86_400 * 30, 'mo'],
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
];

export function ago(at: string, now: number = Date.now()): string {
  const seconds = (now - new Date(at).getTime()) / 1000;
  const step = STEPS.find(([length]) => Math.abs(seconds) >= length);
  if (step === undefined) return 'just now';
  const length = `${Math.floor(Math.abs(seconds) / step[0])} ${step[1]}`;
  return seconds < 0 ? `in ${length}` : `${length} ago`;
}

export function lasted(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;
}
