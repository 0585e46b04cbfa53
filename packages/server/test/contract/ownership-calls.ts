import { randomBytes } from 'node:crypto';
import type { Call, CallTerms } from './calls.js';
import type { Usual } from './compat-calls.js';

const UNKNOWN_CID = `sha256:${'0'.repeat(64)}`;

export function ownershipCalls(
  { world }: CallTerms,
  { faultyBodies, commonErrors }: Usual,
): Record<string, Call[]> {
  const { entityId, derivedEntityId, outputCid } = world;
  // The service accepts a signature only once.
  const proof = () => ({
    ...{ algorithm: 'Ed25519', publicKey: 'ab'.repeat(32), signature: randomBytes(64).toString('hex') },
    ...{ timestamp: '2026-08-02T09:30:00.000Z', signedTimestamp: '2026-08-02T09:30:00Z' },
  });
  const said = () => ({
    evidenceType: 'legal-document',
    evidenceRef: 'file 7',
    note: 'n',
    proof: proof(),
  });
  const writes = (operation: string, good: () => object, elsewhere: () => object, status: number): Call[] => {
    const at = (cid: string) => operation.replace('{cid}', cid);
    const target = at(outputCid);
    return [
      { status, target, json: good(), headers: { prefer: 'return=representation' } },
      { status: 404, target: at(UNKNOWN_CID), json: good() },
      { status: 404, target, json: elsewhere() },
      { status: 400, target: at('nonsense'), json: good() },
      ...faultyBodies(target),
    ];
  };
  const reads = (before: string): Call[] => [
    { status: 200, target: `${before}${outputCid}/ownership` },
    { status: 400, target: `${before}nonsense/ownership` },
    { status: 404, target: `${before}${UNKNOWN_CID}/ownership` },
    ...commonErrors(`${before}${outputCid}/ownership`),
  ];
  const to = (toEntityId: string) => ({
    ...{ transferType: 'adjudicated', authorizationRef: 'court 7', note: 'n', proof: proof() },
    toEntityId,
  });
  const who = { id: entityId, role: 'human' };
  return {
    'GET /v1/resource/{cid}/ownership': reads('/v1/resource/'),
    'POST /v1/resource/{cid}/ownership/claim': writes(
      '/v1/resource/{cid}/ownership/claim',
      () => ({ entityId, ...said() }),
      () => ({ entityId: 'none', ...said() }),
      201,
    ),
    'POST /v1/resource/{cid}/ownership/transfer': writes(
      '/v1/resource/{cid}/ownership/transfer',
      () => ({ performedBy: derivedEntityId, ...to(entityId) }),
      () => to('none'),
      201,
    ),
    'GET /resource/{cid}/ownership': reads('/resource/'),
    'POST /resource/{cid}/ownership/claim': [
      ...writes(
        '/resource/{cid}/ownership/claim',
        () => ({ entity: who, ...said() }),
        () => ({ entity: who, ...said() }),
        201,
      ).filter(({ status, target }) => status !== 404 || target.includes(UNKNOWN_CID)),
      {
        status: 409,
        target: `/resource/${outputCid}/ownership/claim`,
        json: { entity: { ...who, role: 'ai' }, ...said() },
      },
    ],
    'POST /resource/{cid}/ownership/transfer': writes(
      '/resource/{cid}/ownership/transfer',
      () => ({ performedBy: { id: entityId }, ...to(derivedEntityId) }),
      () => ({ performedBy: who, ...to('none') }),
      200,
    ),
  };
}
