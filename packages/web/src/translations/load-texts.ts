import type { Language, LanguageCode } from '../languages/language.js';
import { installTexts, languageInUse, reportMissingTexts } from '../languages/texts.js';
import type { AllTexts } from './all-texts.js';

const LOADERS: Readonly<Record<Exclude<LanguageCode, 'en'>, () => Promise<{ texts: AllTexts }>>> = {
  de: () => import('./de/texts.js'),
  fr: () => import('./fr/texts.js'),
  es: () => import('./es/texts.js'),
  it: () => import('./it/texts.js'),
  pl: () => import('./pl/texts.js'),
};

/** A slower, earlier call must not replace the newest one. */
let newest: Language | undefined;

/** After a failed load, the page keeps its language and shows a message. */
export async function loadTexts(language: Language): Promise<void> {
  newest = language;
  try {
    const { texts } = language.code === 'en' ? { texts: {} } : await LOADERS[language.code]();
    if (newest === language) installTexts(language, texts);
  } catch {
    if (newest === language) reportMissingTexts(language);
  }
  document.documentElement.lang = languageInUse().code;
}
