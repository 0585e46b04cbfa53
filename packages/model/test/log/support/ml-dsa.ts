import { createPublicKey, verify } from 'node:crypto';

const SPKI_PREFIX = Buffer.from('30820532300b06096086480165030403110382052100', 'hex');

function importKey(publicKey: Uint8Array) {
  return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' });
}

function isSupported(): boolean {
  try {
    const type: string | undefined = importKey(new Uint8Array(1_312)).asymmetricKeyType;
    return type === 'ml-dsa-44';
  } catch {
    return false; // OpenSSL throws for a key of an unknown algorithm
  }
}

export const HAS_ML_DSA = isSupported();

export function verifyMlDsa(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  return signature.length === 2_420 && verify(null, message, importKey(publicKey), signature);
}
