/** The page marks a translation that no speaker has reviewed. */
export const LANGUAGES = [
  { code: 'en', locale: 'en-GB', name: 'English', isReviewed: true },
  { code: 'de', locale: 'de', name: 'Deutsch', isReviewed: false },
  { code: 'fr', locale: 'fr', name: 'Français', isReviewed: false },
  { code: 'es', locale: 'es', name: 'Español', isReviewed: false },
  { code: 'it', locale: 'it', name: 'Italiano', isReviewed: false },
  { code: 'pl', locale: 'pl', name: 'Polski', isReviewed: false },
] as const;
export type Language = (typeof LANGUAGES)[number];
export type LanguageCode = Language['code'];

const PLACE = 'colophon.language';

/**
 * Returns the user's choice on this device, or else the browser's first preferred language that the page has, or
 * English.
 */
export function readLanguage(): Language {
  const wanted = [window.localStorage.getItem(PLACE), ...window.navigator.languages];
  return firstKnown(wanted) ?? LANGUAGES[0];
}

/** `tags`: language tags, such as `de-AT`. */
export function firstKnown(tags: readonly (string | null)[]): Language | undefined {
  for (const tag of tags) {
    const found = LANGUAGES.find(({ code }) => code === tag?.toLowerCase().split('-')[0]);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function keepLanguage(code: LanguageCode): void {
  window.localStorage.setItem(PLACE, code);
}
