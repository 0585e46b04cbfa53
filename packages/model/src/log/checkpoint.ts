import { fromBase64, toBase64 } from '../base64.js';
import { type NoteSigner, parseSignedNote, type SignedNote, signNote } from './signed-note.js';
import { isHash } from './tree-hash.js';
import type { TreeHead } from './verify-proofs.js';

/** C2SP tlog-checkpoint. */
export interface Checkpoint extends TreeHead {
  /** Host and path without scheme. */
  origin: string;
}

/** A checkpoint with the signed note that contains it. */
export interface SignedCheckpoint extends Checkpoint {
  note: SignedNote;
}

/**
 * Returns the text of a checkpoint: origin, size and base64 root, one line each (C2SP tlog-checkpoint, "Note text").
 *
 * @example
 * formatCheckpoint({ origin: 'example.org/log', size: 0, root: emptyRoot() }); // => 'example.org/log\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n'
 */
export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

/**
 * Creates the signed note of a checkpoint. The signature has the origin of the log as its name.
 *
 * @example
 * const signer = { publicKeyHex: '00'.repeat(32), sign: () => '00'.repeat(64) };
 * parseCheckpoint(signCheckpoint({ origin: 'example.org/log', size: 0, root: emptyRoot() }, signer)).size; // => 0
 */
export function signCheckpoint(checkpoint: Checkpoint, signer: NoteSigner): string {
  return signNote(formatCheckpoint(checkpoint), checkpoint.origin, signer);
}

/**
 * Parses the checkpoint in a signed note, without verification of signatures. Returns undefined when the text is not
 * a checkpoint. Lines after the third are extensions: the signature covers them, and this function ignores them.
 *
 * @example
 * parseCheckpoint('example.org/log\n0\nno root\n\n\u2014 example.org/log AAAAAAA=\n'); // => undefined
 */
export function parseCheckpoint(text: string): SignedCheckpoint | undefined {
  const note = parseSignedNote(text);
  const checkpoint = note && parseCheckpointText(note.text);
  return checkpoint && { ...checkpoint, note };
}

/** Parses a checkpoint without signatures. Returns undefined for any other text. */
export function parseCheckpointText(text: string): Checkpoint | undefined {
  const [origin = '', size = '', root = '', ...extensions] = text.slice(0, -1).split('\n');
  const rootHash = fromBase64(root);
  const isSound = origin !== '' && /^(?:0|[1-9]\d*)$/.test(size) && Number.isSafeInteger(Number(size));
  if (!isSound || !isHash(rootHash) || extensions.includes('') || !text.endsWith('\n')) return undefined;
  return { origin, size: Number(size), root: rootHash };
}
