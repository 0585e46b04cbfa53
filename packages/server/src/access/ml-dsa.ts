import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { type CosignatureVerifiers, ML_DSA_44, type MlDsaSigner } from '@colophon/model';
import { createVerifySignature } from './ed25519.js';

/** DER before the 1312 bytes of a public key (RFC 9881 §4). */
const SPKI_PREFIX = Buffer.from('30820532300b06096086480165030403110382052100', 'hex');
/** DER before the 32 bytes of a seed (RFC 9881 §6). */
const PKCS8_PREFIX = Buffer.from('3034020100300b060960864801650304031104228020', 'hex');

/** Whether this Node has ML-DSA-44. Node 24.6 and later versions have it, if their OpenSSL is 3.5 or later. */
export function hasMlDsa(): boolean {
  try {
    const type: string | undefined = importSeed('00'.repeat(32)).asymmetricKeyType;
    return type === 'ml-dsa-44';
  } catch {
    return false; // OpenSSL throws for a key of an unknown algorithm
  }
}

/** Returns a sentence with the required and the present versions of Node and OpenSSL. */
export function explainMissingMlDsa(): string {
  const { node, openssl } = process.versions;
  return `ML-DSA-44 needs Node 24.6 or later with OpenSSL 3.5 or later; this is Node ${node} with OpenSSL ${openssl}`;
}

/** Creates the verifiers of cosignatures. `mlDsa44` is undefined if this Node has no ML-DSA-44. */
export function createCosignatureVerifiers(): CosignatureVerifiers {
  return { ed25519: createVerifySignature(), mlDsa44: hasMlDsa() ? verifyMlDsa : undefined };
}

/**
 * Creates the signer of a seed (FIPS 204 §5.1) of 64 hex digits. It uses pure ML-DSA with an empty context. Two
 * signatures of one message differ, because OpenSSL adds randomness (FIPS 204 §3.4). Throws if this Node has no
 * ML-DSA-44.
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
