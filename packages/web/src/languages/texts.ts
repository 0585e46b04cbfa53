import { LANGUAGES, type Language } from './language.js';

/** The type of a translation of `T`: the same names and arguments, with other texts. */
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
/** The texts of each loaded module of `strings/`: in English, and in the language in use. */
const modules = new Map<string, { english: object; shown: Texts }>();
const listeners = new Set<() => void>();

/**
 * Sets the language. The texts of modules that are already loaded change in place, because other modules keep
 * references to groups of texts.
 */
export function installTexts(language: Language, texts: object): void {
  inUse = language;
  translated = { ...texts };
  missing = undefined;
  for (const [name, { english, shown }] of modules) replaceTexts(shown, translated[name] ?? english);
  for (const changed of listeners) changed();
}

/** Reports that the texts of a language could not be loaded. The language in use stays. */
export function reportMissingTexts(language: Language): void {
  missing = language;
  for (const changed of listeners) changed();
}

/** Returns the language that the user chose, if its texts could not be loaded. */
export function missingLanguage(): Language | undefined {
  return missing;
}

export function languageInUse(): Language {
  return inUse;
}

/** Calls `changed` after each change of the language. The returned function ends the calls. */
export function listenToLanguage(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

/**
 * Returns the texts with this name in the language in use. Texts without a translation stay English. A constant of a
 * module may refer to a group of texts. It must not refer to a single text, because single texts change with the
 * language.
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

/** Replaces each text. All translations have the same names. */
function replaceTexts(shown: Texts, texts: unknown): void {
  for (const [name, text] of Object.entries(texts as Texts)) {
    const group = shown[name];
    if (typeof group === 'object' && group !== null) replaceTexts(group as Texts, text);
    else shown[name] = text;
  }
}
