import { parseVerifierKey, parseWitnessKey, type WitnessKey } from '@colophon/model';
import { explainMissingMlDsa, hasMlDsa } from '../access/ml-dsa.js';

/** Returns undefined for text that is no key, and for a key that this version of Node cannot use. */
export function readWitnessKey(text: string): WitnessKey | undefined {
  const key = parseWitnessKey(text);
  return key?.algorithm === 'ml-dsa-44' && !hasMlDsa() ? undefined : key;
}

/** Returns the reason why `readWitnessKey` refuses a text, as the end of a sentence that begins with the key. */
export function explainWitnessKey(text: string): string {
  if (parseWitnessKey(text) !== undefined)
    return `is an ML-DSA-44 key. ${explainMissingMlDsa()}. Use a Node that has it, or an Ed25519 key of the witness`;
  if (parseVerifierKey(text) !== undefined) return 'is the key of a log, not of a witness';
  return 'is malformed';
}
