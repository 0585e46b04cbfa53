import { useSyncExternalStore } from 'react';
import type { Language } from './language.js';
import { languageInUse, listenToLanguage, missingLanguage } from './texts.js';

/** The component renders again after each change. */
export function useLanguage(): Language {
  useSyncExternalStore(listenToLanguage, missingLanguage);
  return useSyncExternalStore(listenToLanguage, languageInUse);
}
