import {
  COMPOSITE,
  encodeIsccUnit,
  IsccError,
  type IsccHeader,
  type IsccMainType,
  type IsccMedium,
  type IsccUnit,
  MAIN_TYPES,
  MEDIA,
  parseIsccText,
  toIsccText,
} from './header.js';

/** Subtypes without a medium. */
const SUM = 5;
const NONE = 6;
const WIDE = 7;

const UNIT_BYTES = 8;
const WIDE_UNIT_BYTES = 16;

/** The bit of each optional unit in the length field. */
const OPTIONAL_UNITS = [
  ['meta', 4],
  ['semantic', 2],
  ['content', 1],
] as const satisfies readonly (readonly [IsccMainType, number])[];

/**
 * Returns the ISCC-CODE of units in any order: a Data-Code, an Instance-Code, and at most one unit of each other main
 * type. The code has the first 64 bits of each digest. Throws IsccError for other combinations.
 */
export function composeIscc(units: readonly IsccUnit[]): string {
  const sorted = [...units].sort((a, b) => rank(a) - rank(b));
  const mainTypes = sorted.map(({ mainType }) => mainType);
  assertComposable(sorted, mainTypes);
  const flags = OPTIONAL_UNITS.filter(([mainType]) => mainTypes.includes(mainType));
  const header = {
    mainType: COMPOSITE,
    subType: subTypeOf(sorted),
    length: flags.reduce((sum, [, flag]) => sum + flag, 0),
  };
  const body = new Uint8Array(sorted.length * UNIT_BYTES);
  for (const [at, { digest }] of sorted.entries()) body.set(digest.subarray(0, UNIT_BYTES), at * UNIT_BYTES);
  return toIsccText(header, body);
}

/**
 * Returns the units of an ISCC: all units of an ISCC-CODE, or a single unit. Throws IsccError for other text,
 * and when the length of the body differs from the length in the header.
 *
 * @example
 * decodeIscc('ISCC:EIAQAAAAAAAAAAAA'); // => [{ mainType: 'content', medium: 'audio', digest: new Uint8Array(8) }]
 */
export function decodeIscc(text: string): IsccUnit[] {
  const { header, body } = parseIsccText(text);
  const parts = header.mainType === COMPOSITE ? partsOf(header) : [partOf(header)];
  const sizeBytes = parts.reduce((sum, part) => sum + part.sizeBytes, 0);
  if (sizeBytes !== body.length) {
    throw new IsccError(
      `The header of the ISCC requires ${sizeBytes} bytes, but the body has ${body.length}`,
    );
  }
  let start = 0;
  return parts.map(({ sizeBytes, ...unit }) => {
    const digest = body.slice(start, start + sizeBytes);
    start += sizeBytes;
    return { ...unit, digest };
  });
}

/** Returns each unit of an ISCC as text, with all bits that the ISCC has of this unit. */
export function decomposeIscc(text: string): string[] {
  return decodeIscc(text).map((unit) => encodeIsccUnit(unit));
}

export type Part = Omit<IsccUnit, 'digest'> & { sizeBytes: number };

/** Throws IsccError if the main type is not that of a unit. */
export function partOf({ mainType, subType, length }: IsccHeader): Part {
  const name = MAIN_TYPES[mainType];
  if (name === undefined)
    throw new IsccError(
      `ISCC main type ${mainType} is not a unit. Units are 0 (Meta) to ${MAIN_TYPES.length - 1} (Instance)`,
    );
  return { ...withMedium(name, subType), sizeBytes: (length + 1) * 4 };
}

function partsOf({ subType, length }: IsccHeader): Part[] {
  const isWide = subType === WIDE;
  if (isWide && length !== 0) throw new IsccError('A wide ISCC-CODE has no optional units');
  const sizeBytes = isWide ? WIDE_UNIT_BYTES : UNIT_BYTES;
  const optional = OPTIONAL_UNITS.filter(([, flag]) => (length & flag) !== 0);
  const names: IsccMainType[] = [...optional.map(([mainType]) => mainType), 'data', 'instance'];
  const parts = names.map((name) => ({ ...withMedium(name, subType), sizeBytes }));
  parts.forEach(assertNamedMedium);
  return parts;
}

/** In an ISCC-CODE, the subtypes 5 to 7 mean that no unit has a medium. */
function assertNamedMedium({ medium }: Pick<IsccUnit, 'medium'>): void {
  if (medium?.startsWith('reserved'))
    throw new IsccError('A unit of the ISCC-CODE must have one of the five named media');
}

function withMedium(mainType: IsccMainType, subType: number): Omit<IsccUnit, 'digest'> {
  if (mainType !== 'content' && mainType !== 'semantic') return { mainType };
  const medium = MEDIA[subType];
  if (medium === undefined) throw new IsccError(`ISCC subtype ${subType} is not a medium`);
  return { mainType, medium };
}

const rank = ({ mainType }: IsccUnit) => MAIN_TYPES.indexOf(mainType);

function assertComposable(units: readonly IsccUnit[], mainTypes: readonly IsccMainType[]): void {
  if (new Set(mainTypes).size !== mainTypes.length)
    throw new IsccError('An ISCC-CODE has at most one unit of each main type');
  if (!mainTypes.includes('data') || !mainTypes.includes('instance')) {
    throw new IsccError('An ISCC-CODE needs a Data-Code and an Instance-Code');
  }
  units.forEach(assertNamedMedium);
  if (units.some(({ digest }) => digest.length < UNIT_BYTES)) {
    throw new IsccError('An ISCC-CODE needs units of 64 bits or more');
  }
}

function subTypeOf(units: readonly IsccUnit[]): number {
  const media = new Set<IsccMedium>(units.flatMap(({ medium }) => medium ?? []));
  if (media.size > 1) throw new IsccError('The Semantic-Code and the Content-Code have different media');
  const [medium] = media;
  if (medium !== undefined) return MEDIA.indexOf(medium);
  return units.length === 2 ? SUM : NONE;
}
