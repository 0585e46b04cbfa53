import { randomBytes } from 'node:crypto';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { ServiceError } from '../errors.js';

/** Seals and opens secrets. A secret that is sealed for one context cannot be opened for another. */
export interface Sealer {
  /** The text, unreadable without the key; another one at every call. */
  seal(secret: string, place: string): string;
  /** The secret again. Throws `Unavailable` when it was sealed with another key or for another place. */
  open(sealed: string, place: string): string;
}

const VERSION = 'v1.';
const NONCE_BYTES = 24;

/** A sealer with a key of 32 bytes: XChaCha20-Poly1305 with random nonces; the place is authenticated beside it. */
export function createSealer(key: Uint8Array): Sealer {
  const cipher = (nonce: Uint8Array, place: string) => xchacha20poly1305(key, nonce, Buffer.from(place));
  return {
    seal(secret, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const sealed = cipher(nonce, place).encrypt(Buffer.from(secret));
      return VERSION + Buffer.concat([nonce, sealed]).toString('base64');
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64');
      try {
        if (!sealed.startsWith(VERSION)) throw new Error('of another version');
        const opened = cipher(bytes.subarray(0, NONCE_BYTES), place).decrypt(bytes.subarray(NONCE_BYTES));
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
