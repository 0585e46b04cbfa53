import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { fromBase64, toBase64 } from '../base64.js';
import type { VerifySignature } from '../proofs/signature.js';
import { toVerifierKey, type VerifierKey } from './verifier-key.js';

export interface NoteSignature {
  name: string;
  /** 8 hex digits. They identify the key among the keys of the same name. */
  keyId: string;
  signature: Uint8Array;
}

/** C2SP signed-note. The text ends with a line break. */
export interface SignedNote {
  text: string;
  signatures: NoteSignature[];
}

const KEY_ID_BYTES = 4;
/** The same maximum as in the Go implementation. */
const MAX_SIGNATURES = 100;
const SIGNATURE_LINE = /^\u2014 ([^\s+]+) ([A-Za-z0-9+/=]+)$/u;
/** Lone surrogates, and characters below U+0020 other than the line break. */
const NOT_IN_NOTES = /[^\P{Cc}\n\x7f-\x9f]|\p{Surrogate}/u;

/**
 * Parses a signed note (C2SP signed-note, "Format") without verification: the text, an empty line, then at least one
 * signature. Returns undefined when the text is not a signed note, or has more than 100 signatures.
 *
 * @example
 * parseSignedNote('words\n\n\u2014 example.org/log AAAAAAA=\n').text; // => 'words\n'
 * parseSignedNote('words without a signature\n'); // => undefined
 */
export function parseSignedNote(note: string): SignedNote | undefined {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n') || NOT_IN_NOTES.test(note)) return undefined;
  const lines = note
    .slice(end + 2)
    .split('\n')
    .slice(0, -1);
  const signatures = lines.map(parseSignatureLine).filter((found) => found !== undefined);
  const isWhole = signatures.length === lines.length && lines.length > 0 && lines.length <= MAX_SIGNATURES;
  return isWhole ? { text: note.slice(0, end + 1), signatures } : undefined;
}

/** Signs texts with one Ed25519 key. */
export interface NoteSigner {
  /** 64 lower-case hex digits. */
  readonly publicKeyHex: string;
  /** Signs the text in UTF-8. Returns 128 lower-case hex digits. */
  sign(text: string): string;
}

/**
 * Creates a note with one signature by this key, under this name. Throws RangeError for a text that does not end with a
 * line break or has characters that a note must not contain. Also throws RangeError for a name that is empty or
 * contains white space or a plus sign.
 *
 * @example
 * const signer = { publicKeyHex: '00'.repeat(32), sign: () => '00'.repeat(64) };
 * parseSignedNote(signNote('words\n', 'example.org/log', signer)).signatures[0].name; // => 'example.org/log'
 */
export function signNote(text: string, name: string, signer: NoteSigner): string {
  if (!text.endsWith('\n') || NOT_IN_NOTES.test(text))
    throw new RangeError(
      'Invalid note: the text must end with a line break and have no other control characters',
    );
  const { keyId } = toVerifierKey(name, hexToBytes(signer.publicKeyHex));
  const signature = concatBytes(hexToBytes(keyId), hexToBytes(signer.sign(text)));
  return `${text}\n\u2014 ${name} ${toBase64(signature)}\n`;
}

export type NoteReport = { verified: true } | { verified: false; reason: 'untrustedKey' | 'badSignature' };

/**
 * Whether the holder of this key signed the note. Signatures by other keys are ignored, as the format requires. If
 * there are several signatures by this key, all must verify. Without a signature by this key, the reason is
 * `untrustedKey`.
 *
 * @example
 * const note = { text: 'words\n', signatures: [] };
 * verifySignedNote(note, { name: 'example.org', keyId: '00000000', publicKey: new Uint8Array(32) }, () => true); // => { verified: false, reason: 'untrustedKey' }
 */
export function verifySignedNote(
  { text, signatures }: SignedNote,
  { name, keyId, publicKey }: VerifierKey,
  verify: VerifySignature,
): NoteReport {
  const own = signatures.filter((signature) => signature.name === name && signature.keyId === keyId);
  if (own.length === 0) return { verified: false, reason: 'untrustedKey' };
  const message = new TextEncoder().encode(text);
  const isSound = own.every(({ signature }) => verify(publicKey, message, signature));
  return isSound ? { verified: true } : { verified: false, reason: 'badSignature' };
}

function parseSignatureLine(line: string): NoteSignature | undefined {
  const [, name, base64 = ''] = SIGNATURE_LINE.exec(line) ?? [];
  const bytes = fromBase64(base64);
  if (name === undefined || bytes === undefined || bytes.length <= KEY_ID_BYTES) return undefined;
  const keyId = bytesToHex(bytes.subarray(0, KEY_ID_BYTES));
  return { name, keyId, signature: bytes.subarray(KEY_ID_BYTES) };
}
