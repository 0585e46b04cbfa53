import type { StoredSoftBinding } from '../c2pa/stored-soft-binding.js';

/**
 * The codes of a TrustMark payload (github.com/adobe/trustmark, "TrustMark Data Schema"). `version`: the number by
 * which a mark names the code. `errors`: how many wrong bits the code corrects.
 */
export const TRUSTMARK_CODES = {
  BCH_SUPER: { version: 0, dataBits: 40, errors: 8 },
  BCH_5: { version: 1, dataBits: 61, errors: 5 },
  BCH_4: { version: 2, dataBits: 68, errors: 4 },
  BCH_3: { version: 3, dataBits: 75, errors: 3 },
} as const;

export type TrustMarkCode = keyof typeof TRUSTMARK_CODES;

/** `alg`: name of the algorithm, such as `com.adobe.trustmark.Q` (C2PA soft binding algorithm list). */
export interface TrustMarkKind {
  alg: string;
  code: TrustMarkCode;
}

/**
 * Returns the soft binding of a mark that has the payload format of TrustMark. The value is the version of the code,
 * `*` and the bits of the payload, as in the example `c2pa/c2pa_watermark_example.py` of TrustMark.
 *
 * @example
 * const { value } = toTrustMarkBinding({ alg: 'com.adobe.trustmark.Q', code: 'BCH_SUPER' }, 5n);
 * value; // => `0*${'101'.padStart(40, '0')}`
 */
export function toTrustMarkBinding({ alg, code }: TrustMarkKind, payload: bigint): StoredSoftBinding {
  const { version, dataBits } = TRUSTMARK_CODES[code];
  return { alg, value: `${version}*${payload.toString(2).padStart(dataBits, '0')}` };
}
