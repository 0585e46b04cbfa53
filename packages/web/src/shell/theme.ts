/** `auto` follows the setting of the device. */
export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const PLACE = 'colophon.theme';

export function readTheme(): Theme {
  const kept = window.localStorage.getItem(PLACE);
  return THEMES.find((theme) => theme === kept) ?? 'auto';
}

export function chooseTheme(theme: Theme): void {
  window.localStorage.setItem(PLACE, theme);
  applyTheme(theme);
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
}
