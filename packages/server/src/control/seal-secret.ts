import { randomBytes } from 'node:crypto';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { ServiceError } from '../errors.js';

/** A secret can be decrypted only with the context that it was sealed with. */
export interface Sealer {
  seal(secret: string, context: string): string;
  /** Throws `Unavailable` if the secret was sealed with another key or context. */
  open(sealed: string, context: string): string;
}

const VERSION = 'v1.';
const NONCE_BYTES = 24;

/** Uses XChaCha20-Poly1305 with a key of 32 bytes and random nonces. The context is the associated data. */
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
        if (!sealed.startsWith(VERSION)) throw new Error('The sealed secret has an unknown version.');
        const opened = cipher(bytes.subarray(0, NONCE_BYTES), context).decrypt(bytes.subarray(NONCE_BYTES));
        return Buffer.from(opened).toString();
      } catch (cause) {
        throw new ServiceError('Unavailable', 'A stored secret cannot be opened with this SECRETS_KEY.', {
          recovery:
            'Start the service with the SECRETS_KEY that was set when the secret was stored, or store the secret again.',
          cause,
        });
      }
    },
  };
}
