import { type CborValue, encodeCbor } from '@colophon/model/cose';
import type { Signing } from './signing.js';

const SIGNATURE_KIND = 'cawg.x509.cose';
/** Maximum size of an encoded reference in bytes: its address and its digest. */
const REFERENCE_BYTES = 256;

/** The payload that an identity signs (CAWG Identity Assertion 1.2 §5.1). */
interface SignerPayload {
  referencedAssertions: readonly { url: string; alg?: string; hash: Uint8Array | number[] }[];
  sigType: string;
  roles?: readonly string[];
}

/** The engine adds the hash of the content to the references. The main thread signs the payload. */
export function toIdentityAssertions({ task, thread }: Signing, isDraft: boolean) {
  if (task.identity === undefined) return [];
  const { reserveBytes, roles } = task.identity;
  const referencedAssertions = labelsOf(task.definition);
  const sign = (payload: SignerPayload) =>
    thread.requestSignature({ by: 'identity', payload: encodePayload(payload), isDraft });
  return [
    {
      sigType: SIGNATURE_KIND,
      reserveSize: reserveBytes + (referencedAssertions.length + 2) * REFERENCE_BYTES + roles.join().length,
      referencedAssertions,
      roles: [...roles],
      sign: (payload: SignerPayload) =>
        thread.times.time('signature', async () => new Uint8Array(await sign(payload))),
    },
  ];
}

function labelsOf({ assertions = [] }: { assertions?: unknown }): string[] {
  return (assertions as { label: string }[]).map(({ label }) => label);
}

/** Encodes `signer_payload` in the order of its CDDL (CAWG Identity Assertion 1.2 §5.1). */
function encodePayload({ referencedAssertions, sigType, roles = [] }: SignerPayload): Uint8Array {
  const references = referencedAssertions.map(({ url, alg, hash }) => {
    const members: [string, CborValue][] = [
      ['url', url],
      ['hash', Uint8Array.from(hash)],
    ];
    if (alg !== undefined) members.splice(1, 0, ['alg', alg]);
    return new Map(members);
  });
  const payload = new Map<string, CborValue>([
    ['referenced_assertions', references],
    ['sig_type', sigType],
  ]);
  if (roles.length > 0) payload.set('role', roles);
  return encodeCbor(payload);
}
