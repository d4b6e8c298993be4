// The few pictures that the frame has.

import type { ReactNode } from 'react';

const icon = (inside: ReactNode) => (
  <svg viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round" aria-hidden="true">
    {inside}
  </svg>
);

export const OVERVIEW = icon(<path d="M2 13h12M4 10V7m4 3V3m4 7V5.5" />);
export const WORKING_SET = icon(<path d="M8 2 14 5 8 8 2 5zM2 8l6 3 6-3M2 11l6 3 6-3" />);
export const BACKLOG = icon(<path d="M3 3v8a2 2 0 0 0 2 2h1M3 6h3m3 0h4M9 13h4" />);
export const SESSIONS = icon(<path d="M8 4.5V8l2.3 1.6M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0Z" />);
export const MEMORIES = icon(<path d="M4 2h8v12l-4-3-4 3z" />);
export const CODE = icon(<path d="m5.5 4.5-3 3.5 3 3.5m5-7 3 3.5-3 3.5M9 3 7 13" />);
export const INSPECTOR = icon(<path d="m10.5 10.5 3.5 3.5M12 7A5 5 0 1 1 2 7a5 5 0 0 1 10 0ZM5 7h4M7 5v4" />);
export const CHEVRON = icon(<path d="m6 3 5 5-5 5" />);
export const UP_DOWN = icon(<path d="m5 6 3-3 3 3M5 10l3 3 3-3" />);
export const SUN = icon(<path d="M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1m8 8 1 1M3 13l1-1m8-8 1-1M11 8a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z" />);
export const MOON = icon(<path d="M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7Z" />);
export const AUTO = icon(
  <>
    <path d="M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0Z" />
    <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
  </>,
);
export const HELP = icon(<path d="M6 6.2a2 2 0 1 1 2.9 1.8c-.6.3-.9.7-.9 1.4m0 2.1v.1M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0Z" />);

export const MARK = (
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" fill="#0e6b63" />
    <path d="M5 21c5 0 5-10 11-10s6 10 11 10" fill="none" stroke="#fff" strokeWidth="2.5" strokeLinecap="round" />
    <circle cx="16" cy="11" r="3.2" fill="#fff" />
  </svg>
);
