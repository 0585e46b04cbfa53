import { cidOf } from '../support/content-ids.mjs';
import { createNext } from '../support/random.mjs';

/** The callers and the process that fills the store use these values. */
export const POPULAR = cidOf('what everybody used');
export const ENTITIES = 500;
export const HISTORIES = 4_000;
export const TEXTS = 32;

export const entityIdOf = (index) => `person:${index}`;
export const middleOf = (index) => cidOf(`middle of history ${index}`);
export const endOf = (index) => cidOf(`end of history ${index}`);

const SALT = 0x51ed270b;
const WORDS = 50_000;
const TEXT_WORDS = 1_450;
/** About one word in this number of words is replaced in an altered copy. */
const ALTERED = 50;
const SYLLABLES = [
  'ba',
  'cor',
  'del',
  'fin',
  'gu',
  'hal',
  'in',
  'jo',
  'ket',
  'lum',
  'mor',
  'ne',
  'pra',
  'sti',
];

function makeWords() {
  const next = createNext(WORDS, SALT);
  const syllable = () => SYLLABLES[Math.floor(next() * SYLLABLES.length)];
  return Array.from({ length: WORDS }, () =>
    Array.from({ length: 2 + Math.floor(next() * 2) }, syllable).join(''),
  );
}

let words;

export function textOf(number) {
  return wordsOf(number).join(' ');
}

/** `copy` selects the replaced words and their replacements. */
export function alteredTextOf(number, copy) {
  const next = createNext(copy, SALT + 1);
  const altered = wordsOf(number);
  for (let count = 0; count < TEXT_WORDS / ALTERED; count++)
    altered[Math.floor(next() * TEXT_WORDS)] = words[Math.floor(next() * WORDS)];
  return altered.join(' ');
}

function wordsOf(number) {
  words ??= makeWords();
  const next = createNext(number, SALT);
  return Array.from({ length: TEXT_WORDS }, () => words[Math.floor(next() * WORDS)]);
}
