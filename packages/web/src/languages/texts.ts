import { LANGUAGES, type Language } from './language.js';

/** The same names and arguments as `T`, with other texts. */
export type Translation<T> = T extends (...values: infer Values) => string
  ? (...values: Values) => string
  : T extends string
    ? string
    : T extends number
      ? T
      : { readonly [Name in keyof T]: Translation<T[Name]> };

type Texts = Record<string, unknown>;

let inUse: Language = LANGUAGES[0];
let translated: Readonly<Texts> = {};
let missing: Language | undefined;
const modules = new Map<string, { english: object; shown: Texts }>();
const listeners = new Set<() => void>();

/** Changes loaded texts in place, because modules keep references to groups of texts. */
export function installTexts(language: Language, texts: object): void {
  inUse = language;
  translated = { ...texts };
  missing = undefined;
  for (const [name, { english, shown }] of modules) replaceTexts(shown, translated[name] ?? english);
  for (const changed of listeners) changed();
}

/** The language in use stays. */
export function reportMissingTexts(language: Language): void {
  missing = language;
  for (const changed of listeners) changed();
}

export function missingLanguage(): Language | undefined {
  return missing;
}

export function languageInUse(): Language {
  return inUse;
}

/** The returned function ends the calls. */
export function listenToLanguage(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

/**
 * Returns the texts in the language in use, or in English. A constant may refer to a group of texts, but not to a
 * single text, which changes with the language.
 */
export function textsOf<const T extends object>(name: string, english: T): Translation<T> {
  const shown = copyTexts(translated[name] ?? english) as Texts;
  modules.set(name, { english, shown });
  return shown as Translation<T>;
}

function copyTexts(texts: unknown): unknown {
  if (typeof texts !== 'object' || texts === null) return texts;
  const copies = Object.entries(texts).map(([name, text]) => [name, copyTexts(text)]);
  return Array.isArray(texts) ? copies.map(([, copy]) => copy) : Object.fromEntries(copies);
}

function replaceTexts(shown: Texts, texts: unknown): void {
  for (const [name, text] of Object.entries(texts as Texts)) {
    const group = shown[name];
    if (typeof group === 'object' && group !== null) replaceTexts(group as Texts, text);
    else shown[name] = text;
  }
}
