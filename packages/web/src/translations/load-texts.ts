import { LANGUAGES, type Language, type LanguageCode } from '../languages/language.js';
import { installTexts } from '../languages/texts.js';
import type { AllTexts } from './all-texts.js';

const LOADERS: Readonly<Record<Exclude<LanguageCode, 'en'>, () => Promise<{ texts: AllTexts }>>> = {
  de: () => import('./de/texts.js'),
  fr: () => import('./fr/texts.js'),
  es: () => import('./es/texts.js'),
  it: () => import('./it/texts.js'),
  pl: () => import('./pl/texts.js'),
};

/** Loads the texts of a language and installs them. If this fails, the page is in English and says so. */
export async function loadTexts(language: Language): Promise<void> {
  const { code } = language;
  if (code === 'en') return;
  try {
    const { texts } = await LOADERS[code]();
    installTexts(language, texts);
  } catch {
    installTexts(LANGUAGES[0], {}, language);
  }
}
