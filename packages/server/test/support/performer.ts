import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** Signs like the ProvenanceKit SDK. Builds the signed texts without `@colophon/model`. */
export function createPerformer(id: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const hex = publicKey.export({ format: 'der', type: 'spki' }).subarray(12).toString('hex');
  return {
    id,
    publicKey: hex,
    registrationSignature: signText(privateKey, `provenancekit:register:${id}:${hex}`),
    prove(type: string, inputs: string[], timestamp = new Date().toISOString()) {
      const list = [...inputs].sort().map((cid) => `"${cid}"`);
      const text = `{"actionType":"${type}","entityId":"${id}","inputs":[${list.join(',')}],"timestamp":"${timestamp}"}`;
      return {
        algorithm: 'Ed25519' as const,
        publicKey: hex,
        signature: signText(privateKey, text),
        timestamp,
      };
    },
  };
}

function signText(key: KeyObject, text: string): string {
  return sign(null, Buffer.from(text), key).toString('hex');
}
