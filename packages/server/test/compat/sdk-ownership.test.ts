import {
  generateKeyPair,
  ProvenanceKit,
  type ProvenanceKitError,
  signFullAction,
  signRegistration,
} from '@provenancekit/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNamedProjectKey } from '../../src/access/create-key.js';
import { ANY_ENGINE, KEY, type Service, startService } from '../support/service.js';

describe('the ProvenanceKit SDK, with proofs enforced', () => {
  let service: Service;
  let pk: ProvenanceKit;
  let keys: { privateKey: string; publicKey: string };
  let cid: string;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE, {
      environment: { PROOF_POLICY: 'enforce', SERVER_SIGNING_KEY: '5e'.repeat(32) },
    });
    keys = await generateKeyPair();
    const writer = { projectName: 'one', name: 'writer', permission: 'write' } as const;
    const { key: apiKey } = await createNamedProjectKey(service.context.databases.control, writer);
    const signing = { signingKey: keys.privateKey, signingEntityId: 'ann' };
    pk = new ProvenanceKit({ baseUrl: service.base, apiKey, ...signing });
    const { signature: registrationSignature } = await signRegistration('ann', keys.privateKey);
    const keyed = { id: 'ann', role: 'human', publicKey: keys.publicKey, registrationSignature };
    await pk.entity(keyed);
    await pk.entity({ role: 'human', name: 'Bo', ...{ id: 'bo' } });
  });
  afterAll(() => service.stop());

  const fault = (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      ({ code, status }: ProvenanceKitError) => ({ code, status }),
    );

  it('file: the performer signs the action, and the service countersigns it', async () => {
    for (let round = 0; round < 5; round++) {
      const file = Buffer.from(`signed ${round}`);
      ({ cid } = await pk.file(file, { entity: { id: 'ann', role: 'human' }, resourceType: 'text' }));
    }
    const { actions } = await pk.bundle(cid);
    expect(actions[0]).toMatchObject({
      extensions: {
        'ext:proof@1.0.0': { publicKey: keys.publicKey },
        'ext:verification@1.0.0': { status: 'verified', policyUsed: 'enforce' },
        'ext:witness@1.0.0': { outputCid: cid },
      },
    });
    const unsigned = new ProvenanceKit({ baseUrl: service.base, apiKey: KEY });
    const unproven = unsigned.file(Buffer.from('unsigned'), { entity: { id: 'ann', role: 'human' } });
    expect(await fault(unproven)).toEqual({ code: 'Forbidden', status: 403 });
  });

  it('ownership, ownershipClaim, ownershipTransfer: only the transfer needs the owner’s proof', async () => {
    expect(await pk.ownership(cid)).toMatchObject({
      resourceRef: cid,
      registrant: { id: 'ann' },
      currentOwner: { id: 'ann' },
      neverTransferred: true,
      lastTransfer: null,
      history: [],
    });
    const claimed = await pk.ownershipClaim(cid, {
      entity: { name: 'Cy' },
      evidenceType: 'legal-document',
      note: 'mine',
    });
    expect(claimed).toMatchObject({
      action: { type: 'ext:ownership:claim@1.0.0', inputs: [{ ref: cid, scheme: 'cid' }] },
      attribution: { role: 'ext:ownership:claimant@1.0.0', resourceRef: { ref: cid } },
    });
    const asked = { performedBy: { id: 'ann' }, toEntityId: 'bo', transferType: 'voluntary' as const };
    expect(await fault(pk.ownershipTransfer(cid, asked))).toEqual({ code: 'Forbidden', status: 403 });
    const text = {
      ...{ entityId: 'ann', actionType: 'ext:ownership:transfer@1.0.0' },
      ...{ inputs: [cid], outputs: ['bo'], timestamp: new Date().toISOString() },
    };
    const proof = await signFullAction(text, keys.privateKey);
    const moved = await pk.ownershipTransfer(cid, { ...asked, proof });
    expect(moved).toMatchObject({
      action: {
        type: 'ext:ownership:transfer@1.0.0',
        performedBy: 'ann',
        extensions: { 'ext:verification@1.0.0': { status: 'verified' } },
      },
      attribution: { role: 'ext:ownership:owner@1.0.0', entityId: 'bo' },
    });
    expect(await pk.ownership(cid)).toMatchObject({
      currentOwner: { id: 'bo' },
      neverTransferred: false,
      lastTransfer: { id: moved.action.id },
      history: [{ id: claimed.action.id }, { id: moved.action.id }],
    });
  });
});
