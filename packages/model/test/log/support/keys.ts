import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { NoteSigner } from '../../../src/log/signed-note.js';

const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' });
  return signature.length === 64 && verify(null, message, key, signature);
}

/** A signer whose seed is this byte, 32 times. */
export function createTestSigner(
  byte: number,
): NoteSigner & { publicKey: Uint8Array; signBytes(bytes: Uint8Array): Uint8Array } {
  const seed = Buffer.alloc(32, byte);
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    publicKey,
    publicKeyHex: publicKey.toString('hex'),
    signBytes: (bytes) => new Uint8Array(sign(null, bytes, key)),
    sign: (text) => sign(null, Buffer.from(text), key).toString('hex'),
  };
}
