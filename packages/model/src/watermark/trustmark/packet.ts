import { TRUSTMARK_CODES, type TrustMarkCode } from '../../marks/trustmark-binding.js';
import { type BchCode, createBchCode } from './bch-code.js';

/** Number of bits that a TrustMark model embeds. */
export const TRUSTMARK_BITS = 100;
/** Data bits and parity bits. The last four of the 100 bits are the version of the code. */
const CODED_BITS = 96;
const VERSION_BITS = TRUSTMARK_BITS - CODED_BITS;

/** The payload of a mark, and the code that protects it. */
export interface TrustMarkPacket {
  code: TrustMarkCode;
  payload: bigint;
}

/**
 * Returns the 100 bits (0 or 1) that a TrustMark model embeds: the payload, the parity bits and the version of the code
 * (github.com/adobe/trustmark, "Payload encoding").
 *
 * @example
 * readTrustMark(writeTrustMark({ code: 'BCH_5', payload: 7n }), 'BCH_5'); // => { code: 'BCH_5', payload: 7n }
 *
 * @throws RangeError if the payload is negative or has more bits than the code protects
 */
export function writeTrustMark({ code, payload }: TrustMarkPacket): Uint8Array {
  const { dataBits, version } = TRUSTMARK_CODES[code];
  if (payload < 0n || payload >= 1n << BigInt(dataBits))
    throw new RangeError(`The payload of ${code} must be from 0 to 2^${dataBits} - 1.`);
  const data = toBits(payload, dataBits);
  const parity = openCode(code).encode(withPadding(data));
  return Uint8Array.from([...data, ...parity, ...toBits(BigInt(version), VERSION_BITS)]);
}

/**
 * Reads 100 decoded bits with the code `usual`. If this code finds too many wrong bits, tries the code that the
 * version bits name. That code comes second because the version bits have no protection. If they are wrong, the code
 * that they name can accept the mark and return a wrong payload. Returns undefined if both codes fail. Random bits
 * pass a code with a probability of about 2e-6 (`BCH_SUPER`) to 0.07 (`BCH_3`), so a payload alone does not show that
 * there is a mark.
 *
 * @throws RangeError if there are not 100 bits
 */
export function readTrustMark(bits: Uint8Array, usual: TrustMarkCode): TrustMarkPacket | undefined {
  if (bits.length !== TRUSTMARK_BITS) throw new RangeError(`A TrustMark has ${TRUSTMARK_BITS} bits.`);
  for (const code of new Set([usual, codeOf(bits)])) {
    const { dataBits } = TRUSTMARK_CODES[code];
    const padded = withPadding(bits.subarray(0, dataBits));
    const word = Uint8Array.from([...padded, ...bits.subarray(dataBits, CODED_BITS)]);
    const corrected = openCode(code).correct(word);
    // The picture does not contain the padding, so a bit 1 in it shows a wrong correction.
    if (corrected === undefined || corrected.subarray(dataBits, padded.length).includes(1)) continue;
    return { code, payload: toNumber(corrected.subarray(0, dataBits)) };
  }
  return undefined;
}

/** The last two bits are the lower half of the version. */
function codeOf(bits: Uint8Array): TrustMarkCode {
  const version = 2 * (bits.at(-2) ?? 0) + (bits.at(-1) ?? 0);
  const codes = Object.keys(TRUSTMARK_CODES) as TrustMarkCode[];
  return codes.find((code) => TRUSTMARK_CODES[code].version === version) ?? 'BCH_5';
}

function openCode(code: TrustMarkCode): BchCode {
  return createBchCode(TRUSTMARK_CODES[code].errors);
}

/** TrustMark computes the parity of whole bytes. */
function withPadding(data: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil(data.length / 8) * 8);
  padded.set(data);
  return padded;
}

function toBits(value: bigint, count: number): Uint8Array {
  return Uint8Array.from({ length: count }, (_, at) => Number((value >> BigInt(count - 1 - at)) & 1n));
}

function toNumber(bits: Uint8Array): bigint {
  return bits.reduce((value, bit) => 2n * value + BigInt(bit), 0n);
}
