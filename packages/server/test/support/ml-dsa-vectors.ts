import { parseCheckpoint, parseWitnessKey, type SignedCheckpoint, type WitnessKey } from '@colophon/model';
import vectors from '../../../model/test/vectors/witnesses-ml-dsa-v1.json' with { type: 'json' };

/** `old` is an Ed25519 key with the same name as `one`. */
export const { one: ML_DSA_KEY, two: OTHER_ML_DSA_KEY, old: ED25519_KEY } = vectors.witnesses;

/** Has valid cosignatures of `ML_DSA_KEY` and of `ED25519_KEY`. */
export const COSIGNED_CHECKPOINT =
  vectors.policies.find(({ name }) => name.startsWith('2 of 2, one'))?.note ?? '';

export function toNoteAndKey({ note, key }: { note: string; key: string }): {
  note: SignedCheckpoint['note'];
  key: WitnessKey;
} {
  const text = vectors.witnesses[key as keyof typeof vectors.witnesses];
  return {
    note: (parseCheckpoint(note) as SignedCheckpoint).note,
    key: parseWitnessKey(text) as WitnessKey,
  };
}
