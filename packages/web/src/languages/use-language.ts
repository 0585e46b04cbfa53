import { useSyncExternalStore } from 'react';
import type { Language } from './language.js';
import { languageInUse, listenToLanguage, missingLanguage } from './texts.js';

/** Returns the language in use. The component, with all components in it, renders again after each change. */
export function useLanguage(): Language {
  useSyncExternalStore(listenToLanguage, missingLanguage);
  return useSyncExternalStore(listenToLanguage, languageInUse);
}
