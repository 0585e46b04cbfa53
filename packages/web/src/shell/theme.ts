/** Light or dark as the device is, or always one of them. */
export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const PLACE = 'colophon.theme';

/** What was chosen on this device before. */
export function readTheme(): Theme {
  const kept = window.localStorage.getItem(PLACE);
  return THEMES.find((theme) => theme === kept) ?? 'auto';
}

/** Keeps a choice on this device and shows it. */
export function chooseTheme(theme: Theme): void {
  window.localStorage.setItem(PLACE, theme);
  applyTheme(theme);
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
}
