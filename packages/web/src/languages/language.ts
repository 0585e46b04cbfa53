/** The languages of the page. A translation that no speaker has reviewed is marked on the page. */
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
 * Returns the language that the user chose on this device. Otherwise, returns the first of the browser's preferred
 * languages that the page has, or English.
 */
export function readLanguage(): Language {
  const wanted = [window.localStorage.getItem(PLACE), ...window.navigator.languages];
  return firstKnown(wanted) ?? LANGUAGES[0];
}

/** Returns the first language of the page in a list of language tags, such as `de-AT`. */
export function firstKnown(tags: readonly (string | null)[]): Language | undefined {
  for (const tag of tags) {
    const found = LANGUAGES.find(({ code }) => code === tag?.toLowerCase().split('-')[0]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Stores a choice on this device. */
export function keepLanguage(code: LanguageCode): void {
  window.localStorage.setItem(PLACE, code);
}
