import * as z from 'zod';

/**
 * Whether `signature` (64 bytes) is the Ed25519 signature of `message` by `publicKey` (32 bytes).
 *
 * Returns false for input of the wrong length, and for bytes that do not encode a point or scalar. Never throws. The
 * implementation must be strict: RFC 8032 §5.1.7 with only canonical encodings, and no small-order points. A lax
 * implementation (ZIP 215) accepts the all-zero key with the all-zero signature for any message.
 */
export type VerifySignature = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;

/** An Ed25519 public key (RFC 8032 §5.1.5) as 64 lower-case hex digits. */
export const publicKeySchema = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'Expected 64 lower-case hex digits')
  .meta({ description: 'Ed25519 public key, hex' });

/** An Ed25519 signature (RFC 8032 §5.1.6) as 128 lower-case hex digits. */
export const signatureSchema = z
  .string()
  .regex(/^[0-9a-f]{128}$/, 'Expected 128 lower-case hex digits')
  .meta({ description: 'Ed25519 signature, hex' });
