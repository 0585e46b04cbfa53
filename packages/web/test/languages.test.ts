import { readdir } from 'node:fs/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { counter } from '../src/languages/counter.js';
import { firstKnown, LANGUAGES } from '../src/languages/language.js';
import { badge } from '../src/strings/badge.js';
import { texts as german } from '../src/translations/de/texts.js';
import { texts as spanish } from '../src/translations/es/texts.js';
import { texts as french } from '../src/translations/fr/texts.js';
import { texts as italian } from '../src/translations/it/texts.js';
import { texts as polish } from '../src/translations/pl/texts.js';

const TRANSLATIONS = { de: german, fr: french, es: spanish, it: italian, pl: polish };
const STRINGS = new URL('../src/strings/', import.meta.url);

type Say = (...values: unknown[]) => string;

/** Paths such as `check.headline.nothing`. */
function flatten(value: unknown, path = ''): [string, string | number | Say][] {
  if (typeof value === 'string' || typeof value === 'number') return [[path, value]];
  if (typeof value === 'function') return [[path, value as Say]];
  return Object.entries(value as object).flatMap(([name, inner]) => flatten(inner, `${path}.${name}`));
}

/** Reads the texts in English, or in the language that `installTexts` has set. */
async function readStrings(): Promise<Record<string, unknown>> {
  const files = (await readdir(STRINGS)).filter((file) => file !== 'describe-facts.ts');
  const modules = await Promise.all(files.map((file) => import(new URL(file, STRINGS).href)));
  const { badge: _, ...texts } = Object.assign({}, ...modules) as Record<string, unknown>;
  return texts;
}

const NAMES = ['①', '②', '③'].map((mark) => mark.repeat(30));
/** A function that inserts a name also accepts `37`, which is easy to find in a sentence. `1` tests the singular. */
const NUMBERS = [
  [37, 41, 43],
  [37, 1, 1],
  [1, 41, 1],
  [1, 1, 1],
];
const COUNTS = [0, 1, 2, 5, 22];

/** Numbers, and how often the text contains the character of each of the `NAMES`. */
function placeholders(text: string): string[] {
  const marks = ['①', '②', '③'].map((mark) => `${mark} ${text.split(mark).length - 1}`);
  return [...(text.match(/\d+/g) ?? []).sort(), ...marks];
}

/** Returns undefined when the function does not accept values of this type. */
function say(text: Say, values: readonly unknown[]): string | undefined {
  try {
    return text(...values);
  } catch {
    return undefined;
  }
}

describe('the languages of the page', () => {
  afterAll(() => vi.resetModules());

  it.each(Object.entries(TRANSLATIONS))(
    'have each text, with the same arguments and placeholders: %s',
    async (_code, translated) => {
      const english = await readStrings();
      const [expected, found] = [flatten(english), flatten(translated)];
      expect(found.map(([path]) => path).sort()).toEqual(expected.map(([path]) => path).sort());
      const byPath = new Map(found);
      for (const [path, text] of expected) {
        const other = byPath.get(path);
        expect([path, typeof other]).toEqual([path, typeof text]);
        if (typeof text === 'number') expect([path, other]).toEqual([path, text]);
        if (typeof text === 'string') expect([path, other === '']).toEqual([path, text === '']);
        if (typeof text !== 'function') continue;
        const values = say(text, NUMBERS[0] ?? []) === undefined ? [NAMES] : NUMBERS;
        for (const each of values) {
          const wanted = placeholders(text(...each));
          expect([path, placeholders((other as Say)(...each))]).toEqual([path, wanted]);
        }
        for (const count of COUNTS) {
          const [wanted, got] = [text, other as Say].map((one) => say(one, [count, count, count]));
          expect([path, got === '', /undefined|NaN/.test(got ?? '')]).toEqual([path, wanted === '', false]);
        }
      }
    },
  );

  it.each(Object.entries(TRANSLATIONS))(
    'have no text that is still in English: %s',
    async (_code, translated) => {
      const byPath = new Map(flatten(translated));
      const same = flatten(await readStrings()).filter(
        ([path, text]) =>
          typeof text === 'string' &&
          /\w \w/.test(text) &&
          text !== 'Content Credentials' &&
          byPath.get(path) === text,
      );
      expect(same).toEqual([]);
    },
  );

  it('replace the texts of all modules, except those of the badge', async () => {
    vi.resetModules();
    const { installTexts } = await import('../src/languages/texts.js');
    installTexts(LANGUAGES[1], german);
    expect(await readStrings()).toEqual(german);
    expect((await import('../src/strings/badge.js')).badge.more).toBe(badge.more);
  });

  it('also change for a module that keeps a reference to a group of texts, and change back to English', async () => {
    vi.resetModules();
    const { installTexts, listenToLanguage, reportMissingTexts, missingLanguage } = await import(
      '../src/languages/texts.js'
    );
    const { manage } = await import('../src/strings/manage.js');
    const { levels } = manage.keys;
    const english = [levels.read, manage.keys.rotateOf('x')];
    const heard: unknown[] = [];
    const stop = listenToLanguage(() => heard.push(missingLanguage()?.code));
    installTexts(LANGUAGES[1], german);
    expect([levels.read, manage.keys.rotateOf('x')]).toEqual(['Lesen', 'x erneuern']);
    expect(await readStrings()).toEqual(german);
    reportMissingTexts(LANGUAGES[2]);
    expect(levels.read).toBe('Lesen');
    installTexts(LANGUAGES[0], {});
    expect([levels.read, manage.keys.rotateOf('x')]).toEqual(english);
    stop();
    installTexts(LANGUAGES[2], french);
    expect(heard).toEqual([undefined, 'fr', undefined]);
    expect(german.manage.keys.levels.read).toBe('Lesen');
  });

  it('never say that the performer of a corrected step corrected it', () => {
    // In German and Italian, a participle before the performer names the performer as the cause.
    const said = Object.values(TRANSLATIONS).map(
      ({ history, explore }) => `${history.correctedShort} · ${explore.by('Anna')}`,
    );
    expect(said).toEqual([
      'Veraltet · von Anna',
      'Caduc · par Anna',
      'Obsoleto · por Anna',
      'Obsoleto · da Anna',
      'Nieaktualne · autor: Anna',
    ]);
  });

  it('are chosen by preference: the first preferred language that the page has', () => {
    const codeOf = (tags: (string | null)[]) => firstKnown(tags)?.code;
    expect(codeOf([null, 'nl', 'de-AT', 'en'])).toBe('de');
    expect(codeOf(['PL'])).toBe('pl');
    expect(codeOf(['den', 'nl'])).toBeUndefined();
  });

  it('have the plural forms of the language', () => {
    const files = counter('pl', { one: 'plik', few: 'pliki', many: 'plików', other: 'pliku' });
    expect([0, 1, 2, 5, 12, 22, 1234].map(files)).toEqual([
      '0 plików',
      '1 plik',
      '2 pliki',
      '5 plików',
      '12 plików',
      '22 pliki',
      '1234 pliki',
    ]);
    expect(counter('en', { one: 'file', other: 'files' })(10_011)).toBe('10,011 files');
  });
});
