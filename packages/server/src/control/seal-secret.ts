import { randomBytes } from 'node:crypto';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { ServiceError } from '../errors.js';

/** Seals and opens secrets. A secret that is sealed for one context cannot be opened for another. */
export interface Sealer {
  /** Returns the text encrypted, with a new nonce at every call. */
  seal(secret: string, context: string): string;
  /** Returns the decrypted text. Throws `Unavailable` when it was sealed with another key or for another context. */
  open(sealed: string, context: string): string;
}

const VERSION = 'v1.';
const NONCE_BYTES = 24;

/**
 * Creates a sealer with a key of 32 bytes: XChaCha20-Poly1305 with random nonces. The context is associated data,
 * so it is authenticated.
 */
export function createSealer(key: Uint8Array): Sealer {
  const cipher = (nonce: Uint8Array, context: string) => xchacha20poly1305(key, nonce, Buffer.from(context));
  return {
    seal(secret, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const sealed = cipher(nonce, context).encrypt(Buffer.from(secret));
      return VERSION + Buffer.concat([nonce, sealed]).toString('base64');
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64');
      try {
        if (!sealed.startsWith(VERSION)) throw new Error('of another version');
        const opened = cipher(bytes.subarray(0, NONCE_BYTES), context).decrypt(bytes.subarray(NONCE_BYTES));
        return Buffer.from(opened).toString();
      } catch (cause) {
        throw new ServiceError('Unavailable', 'A stored secret cannot be opened with this SECRETS_KEY.', {
          recovery: 'Start with the SECRETS_KEY it was stored with, or store the secret again.',
          cause,
        });
      }
    },
  };
}
