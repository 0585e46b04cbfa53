import { LANGUAGES, type Language } from './language.js';

/** The type of a translation of `T`: the same names and arguments, with other texts. */
export type Translation<T> = T extends (...values: infer Values) => string
  ? (...values: Values) => string
  : T extends string
    ? string
    : T extends number
      ? T
      : { readonly [Name in keyof T]: Translation<T[Name]> };

let inUse: Language = LANGUAGES[0];
let translated: Readonly<Record<string, unknown>> = {};
let missing: Language | undefined;

/**
 * Sets the language. Call this function before the import of the first module of `strings/`. `wanted`: the language
 * that the user chose, if its texts could not be loaded.
 */
export function installTexts(language: Language, texts: object, wanted?: Language): void {
  inUse = language;
  translated = { ...texts };
  missing = wanted;
}

/** Returns the language that the user chose, if its texts could not be loaded. */
export function missingLanguage(): Language | undefined {
  return missing;
}

export function languageInUse(): Language {
  return inUse;
}

/** Returns the texts with this name in the language in use. Texts without a translation stay English. */
export function textsOf<const T extends object>(name: string, english: T): Translation<T> {
  return (translated[name] ?? english) as Translation<T>;
}
