import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { type CosignatureVerifiers, ML_DSA_44, type MlDsaSigner } from '@colophon/model';
import { createVerifySignature } from './ed25519.js';

/** DER before the 1312 bytes of a public key (RFC 9881 §4). */
const SPKI_PREFIX = Buffer.from('30820532300b06096086480165030403110382052100', 'hex');
/** DER before the 32 bytes of a seed (RFC 9881 §6). */
const PKCS8_PREFIX = Buffer.from('3034020100300b060960864801650304031104228020', 'hex');

export function hasMlDsa(): boolean {
  try {
    const type: string | undefined = importSeed('00'.repeat(32)).asymmetricKeyType;
    return type === 'ml-dsa-44';
  } catch {
    return false; // OpenSSL throws for a key of an unknown algorithm
  }
}

export function explainMissingMlDsa(): string {
  const { node, openssl } = process.versions;
  return `ML-DSA-44 needs Node 24.6 or later with OpenSSL 3.5 or later; this is Node ${node} with OpenSSL ${openssl}`;
}

/** `mlDsa44` is undefined if this Node has no ML-DSA-44. */
export function createCosignatureVerifiers(): CosignatureVerifiers {
  return { ed25519: createVerifySignature(), mlDsa44: hasMlDsa() ? verifyMlDsa : undefined };
}

/**
 * Creates a signer of pure ML-DSA-44 with an empty context, from a seed of 64 hex digits (FIPS 204 §5.1). Throws if
 * this Node has no ML-DSA-44.
 */
export function createMlDsaSigner(seedHex: string): MlDsaSigner {
  const key = importSeed(seedHex);
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return {
    algorithm: 'ml-dsa-44',
    publicKey: new Uint8Array(spki.subarray(-ML_DSA_44.keyBytes)),
    signBytes: (message) => new Uint8Array(sign(null, message, key)),
  };
}

function verifyMlDsa(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== ML_DSA_44.keyBytes || signature.length !== ML_DSA_44.signatureBytes) return false;
  const der = Buffer.concat([SPKI_PREFIX, publicKey]);
  return verify(null, message, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature);
}

function importSeed(seedHex: string): KeyObject {
  if (!/^[0-9a-fA-F]{64}$/.test(seedHex)) throw new RangeError('A signing key must have 64 hex digits');
  const der = Buffer.concat([PKCS8_PREFIX, Buffer.from(seedHex, 'hex')]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}
