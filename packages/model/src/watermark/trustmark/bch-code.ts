/** x^7 + x^3 + 1, for the field GF(2^7). */
const FIELD_POLYNOMIAL = 137;
const DEGREE = 7;
/** Field elements except zero; also the maximum number of bits of a code word. */
const ORDER = 2 ** DEGREE - 1;

const { powers, logarithms } = makeField();

/** Binary, over GF(2^7), shortened to any number of data bits. Bits are 0 or 1, most significant first. */
export interface BchCode {
  parityBits: number;
  encode(data: Uint8Array): Uint8Array;
  /** Data bits, then parity bits. Undefined for too many wrong bits. */
  correct(word: Uint8Array): Uint8Array | undefined;
}

/** Corrects up to `errors` wrong bits, with `7 * errors` parity bits for the codes in use. */
export function createBchCode(errors: number): BchCode {
  const generator = makeGenerator(errors);
  const parityBits = generator.length - 1;
  return {
    parityBits,
    encode: (data) => divide(data, generator),
    correct(word) {
      const locator = findLocator(toSyndromes(word, 2 * errors));
      if (locator.length - 1 > errors) return undefined;
      const wrong = findRoots(locator, word.length);
      if (wrong.length !== locator.length - 1) return undefined;
      const corrected = word.slice();
      for (const at of wrong) corrected[at] = 1 - (corrected[at] ?? 0);
      return corrected;
    },
  };
}

function makeField(): { powers: Uint8Array; logarithms: Uint8Array } {
  const powers = new Uint8Array(ORDER);
  const logarithms = new Uint8Array(ORDER + 1);
  let value = 1;
  for (let exponent = 0; exponent < ORDER; exponent++) {
    powers[exponent] = value;
    logarithms[value] = exponent;
    value <<= 1;
    if (value > ORDER) value ^= FIELD_POLYNOMIAL;
  }
  return { powers, logarithms };
}

const powerOf = (exponent: number): number => powers[exponent % ORDER] ?? 0;

function multiply(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : powerOf((logarithms[a] ?? 0) + (logarithms[b] ?? 0));
}

function divideBy(a: number, b: number): number {
  return a === 0 ? 0 : powerOf((logarithms[a] ?? 0) + ORDER - (logarithms[b] ?? 0));
}

/** Highest degree first. The product of the distinct minimal polynomials of a^1, a^3, ... up to a^(2 * errors - 1). */
function makeGenerator(errors: number): number[] {
  const roots = new Set<number>();
  for (let odd = 1; odd < 2 * errors; odd += 2)
    for (let round = 0; round < DEGREE; round++) roots.add((odd * 2 ** round) % ORDER);
  let product = [1];
  for (const root of roots) {
    const shifted = [...product, 0];
    for (const [at, factor] of product.entries())
      shifted[at + 1] = (shifted[at + 1] ?? 0) ^ multiply(factor, powerOf(root));
    product = shifted;
  }
  return product;
}

/** The remainder of `data * x^parity` by the generator. */
function divide(data: Uint8Array, generator: readonly number[]): Uint8Array {
  const parity = generator.length - 1;
  const rest = new Uint8Array(data.length + parity);
  rest.set(data);
  for (let at = 0; at < data.length; at++) {
    if (rest[at] === 0) continue;
    for (const [offset, bit] of generator.entries()) rest[at + offset] = (rest[at + offset] ?? 0) ^ bit;
  }
  return rest.subarray(data.length);
}

/** The word, as a polynomial, at the powers 1 to `count` of the field's generator. */
function toSyndromes(word: Uint8Array, count: number): number[] {
  return Array.from({ length: count }, (_, index) =>
    word.reduce((sum, bit, at) => (bit === 0 ? sum : sum ^ powerOf((index + 1) * (word.length - 1 - at))), 0),
  );
}

/** Lowest degree first (Berlekamp-Massey algorithm). */
function findLocator(syndromes: readonly number[]): number[] {
  let locator = [1];
  let before = [1];
  let errors = 0;
  let gap = 1;
  let lastDiscrepancy = 1;
  for (const step of syndromes.keys()) {
    const discrepancy = locator.reduce(
      (sum, factor, at) => sum ^ multiply(factor, syndromes[step - at] ?? 0),
      0,
    );
    if (discrepancy === 0) {
      gap++;
      continue;
    }
    const next = subtract(locator, before, { gap, factor: divideBy(discrepancy, lastDiscrepancy) });
    if (2 * errors <= step) {
      before = locator;
      errors = step + 1 - errors;
      lastDiscrepancy = discrepancy;
      gap = 1;
    } else gap++;
    locator = next;
  }
  while (locator.length > 1 && locator.at(-1) === 0) locator.pop();
  return locator;
}

/** `first - factor * x^gap * second`. */
function subtract(
  first: readonly number[],
  second: readonly number[],
  { gap, factor }: { gap: number; factor: number },
): number[] {
  const length = Math.max(first.length, second.length + gap);
  return Array.from(
    { length },
    (_, at) => (first[at] ?? 0) ^ multiply(factor, at < gap ? 0 : (second[at - gap] ?? 0)),
  );
}

/** The wrong bits (Chien search). */
function findRoots(locator: readonly number[], length: number): number[] {
  const places: number[] = [];
  for (let at = 0; at < length; at++) {
    const exponent = ORDER - ((length - 1 - at) % ORDER);
    const value = locator.reduce(
      (sum, factor, degree) => sum ^ multiply(factor, powerOf(exponent * degree)),
      0,
    );
    if (value === 0) places.push(at);
  }
  return places;
}
