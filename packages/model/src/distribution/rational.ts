/** An exact fraction. The denominator is above 0. The fraction is not always in lowest terms. */
export interface Rational {
  numerator: bigint;
  denominator: bigint;
}

/** A number exactly as a caller wrote it. */
export type Exact = number | bigint | string;

/** The form of `weight` in a record. */
const TEXT = /^(\d{1,64})(?:\.(\d{1,64})|\/0*([1-9]\d{0,63}))?$/;

/** Finite numbers of at least 0, as `String` writes them. */
const NUMBER = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/** The smallest power of two above every finite double. */
const MAX_INTEGER = 1n << 1024n;

/**
 * Returns the exact value of a number of at least 0. Returns undefined for any other value.
 *
 * Accepts texts of digits (`"12"`, `"0.125"`, `"1/3"`; at most 64 digits on either side of the point or slash),
 * bigints below 2^1024, and finite numbers. A number has the value of its decimal in JSON: 0.1 is exactly 1/10.
 *
 * @example
 * parseRational('2/6'); // => { numerator: 1n, denominator: 3n }
 * parseRational(0.25); // => { numerator: 25n, denominator: 100n }
 * parseRational('NaN'); // => undefined
 */
export function parseRational(value: Exact): Rational | undefined {
  switch (typeof value) {
    case 'bigint':
      return value >= 0n && value < MAX_INTEGER ? { numerator: value, denominator: 1n } : undefined;
    case 'number':
      return readNumber(value);
    case 'string':
      return readText(value);
    default:
      return undefined;
  }
}

function readText(text: string): Rational | undefined {
  const [, whole, decimals = '', denominator] = TEXT.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return denominator === undefined
    ? fromDecimal(whole, decimals, 0)
    : inLowestTerms(BigInt(whole), BigInt(denominator));
}

function readNumber(value: number): Rational | undefined {
  const [, whole, decimals = '', exponent = '0'] = NUMBER.exec(String(value)) ?? [];
  return whole === undefined ? undefined : fromDecimal(whole, decimals, Number(exponent));
}

/** Without trailing zeros, equal decimals have equal denominators. */
function fromDecimal(whole: string, decimals: string, exponent: number): Rational {
  const significant = decimals.replace(/0+$/, '');
  const digits = BigInt(whole + significant);
  const places = significant.length - exponent;
  return places > 0
    ? { numerator: digits, denominator: 10n ** BigInt(places) }
    : { numerator: digits * 10n ** BigInt(-places), denominator: 1n };
}

function inLowestTerms(numerator: bigint, denominator: bigint): Rational {
  const divisor = greatestCommonDivisor(numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

/** Euclid's algorithm. At least one number must be above 0. */
export function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a, b];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}
