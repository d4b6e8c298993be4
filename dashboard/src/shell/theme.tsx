// Light, dark, or as the system has it.

import { useCallback, useState, type ReactNode } from 'react';
import { AUTO, MOON, SUN } from './icons';

type Theme = 'system' | 'light' | 'dark';

const KEY = 'throughline.theme';
const NEXT: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };
const ICONS: Record<Theme, ReactNode> = { system: AUTO, light: SUN, dark: MOON };

export function useTheme(): { theme: Theme; change: () => void } {
  const [theme, setTheme] = useState<Theme>(() => (document.documentElement.dataset['theme'] as Theme | undefined) ?? 'system');
  const change = useCallback(() => {
    const next = NEXT[theme];
    if (next === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = next;
    if (next === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
    setTheme(next);
  }, [theme]);
  return { theme, change };
}

export function ThemeSwitch({ theme, change }: { theme: Theme; change: () => void }) {
  return (
    <button type="button" className="button button-bare button-icon" onClick={change} aria-label={`Look: ${theme}. Change to ${NEXT[theme]}`} title={`Look: ${theme} (t)`}>
      {ICONS[theme]}
    </button>
  );
}
