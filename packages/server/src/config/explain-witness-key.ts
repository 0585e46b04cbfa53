import { fromBase64, parseVerifierKey } from '@colophon/model';

/** The signature type of cosignatures with ML-DSA-44 (C2SP tlog-cosignature, "Format"). */
const ML_DSA_44_COSIGNATURE = 6;
/** FIPS 204, table 2. */
const ML_DSA_44_KEY_BYTES = 1_312;

/** Returns the reason why `parseWitnessKey` refuses a text, as the end of a sentence that begins with the key. */
export function explainWitnessKey(text: string): string {
  const bytes = fromBase64(text.split('+').slice(2).join('+')) ?? new Uint8Array();
  if (bytes[0] === ML_DSA_44_COSIGNATURE && bytes.length === 1 + ML_DSA_44_KEY_BYTES)
    return 'is an ML-DSA-44 key, which needs Node 24 and is not supported. Use an Ed25519 key of the witness';
  if (parseVerifierKey(text) !== undefined) return 'is the key of a log, not of a witness';
  return 'is malformed';
}
