import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPerformer } from '../support/performer.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';

const KNOWN = 'Qmf412jQZiuVUtdgnB36FXFX7xg5V6KEbSJ4dpQuhkLyfD';

describe('unenforced proofs', () => {
  const services: Partial<Record<string, Service>> = {};
  const warnings: Record<string, unknown>[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => void warnings.push(JSON.parse(line)) });
  beforeAll(async () => {
    for (const PROOF_POLICY of ['off', 'warn'])
      services[PROOF_POLICY] = await startService(ANY_ENGINE, {
        environment: { PROOF_POLICY },
        overrides: { logger },
      });
  });
  afterAll(async () => {
    for (const service of Object.values(services)) await service?.stop();
  });

  const post = async (policy: string, path: string, body: unknown) => {
    const answer = await services[policy]?.send(path, jsonPost(body));
    return { status: answer?.status, body: await answer?.json() };
  };

  it('warn: a wrong registrationSignature is stored and flagged, until the valid one is sent', async () => {
    const { id, publicKey, registrationSignature } = createPerformer('quin');
    const wrong = createPerformer('quin').registrationSignature;
    const entity = { id, role: 'human', publicKey };
    const made = await post('warn', '/v1/entity', { ...entity, registrationSignature: wrong });
    expect(made.status).toBe(201);
    expect(made.body.entity.extensions).toEqual({
      'ext:verification@1.0.0': expect.objectContaining({
        status: 'unverified',
        registrationSignature: wrong,
        registrationVerified: false,
      }),
    });
    const batch = { entities: [{ ...entity, id: 'rio', registrationSignature: wrong }] };
    expect((await post('warn', '/v1/batch', batch)).status).toBe(201);
    const rio = await (await services.warn?.send('/v1/entity/rio'))?.json();
    expect(rio.extensions['ext:verification@1.0.0']).toMatchObject({ registrationVerified: false });
    const patch = { ...jsonPost({ registrationSignature }), method: 'PATCH' };
    const proven = await (await services.warn?.send('/v1/entity/quin', patch))?.json();
    expect(Object.keys(proven.extensions)).toEqual(['ext:identity@1.0.0']);
  });

  it.each(['off', 'warn'])('%s: a proof may be sent again, for other actions', async (policy) => {
    const sam = createPerformer('sam');
    const { id, publicKey, registrationSignature } = sam;
    await post(policy, '/v1/entity', { id, role: 'human', publicKey, registrationSignature });
    const body = { performedBy: 'sam', proof: sam.prove('create', []) };
    for (let time = 0; time < 2; time++) expect((await post(policy, '/v1/action', body)).status).toBe(201);
    const together = await Promise.all(Array.from({ length: 8 }, () => post(policy, '/v1/action', body)));
    expect(together.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect((await post(policy, '/v1/batch', { actions: [body, body] })).status).toBe(201);
    const named = { ...body, outputCids: [KNOWN] };
    expect((await post(policy, '/v1/batch', { actions: [body, named, named] })).status).toBe(201);
    const uploads = ['one of sam', 'another of sam'].map((content) =>
      services[policy]?.upload(content, {
        entity: { id: 'sam', role: 'human' },
        action: { proof: body.proof },
      }),
    );
    expect((await Promise.all(uploads)).map((answer) => answer?.status)).toEqual([201, 201]);
  });

  it.each(['off', 'warn'])('%s: keys and proofs of an unknown kind are stored as sent', async (policy) => {
    const publicKey = `did:key:z${'Q'.repeat(47)}`;
    const keyed = { role: 'human', publicKey, registrationSignature: 'base64url-of-a-signature_' };
    const made = await post(policy, '/v1/entity', { ...keyed, id: 'uma' });
    expect([made.status, made.body.entity.publicKey]).toEqual([201, publicKey]);
    const proof = {
      algorithm: 'ML-DSA-65',
      publicKey,
      signature: 'c2lnbmF0dXJl'.repeat(400),
      timestamp: '1792800000',
    };
    const body = { performedBy: 'uma', proof };
    const acted = await post(policy, '/v1/action', body);
    expect([acted.status, acted.body.action.proof]).toEqual([201, proof]);
    const { extensions } = acted.body.action;
    if (policy === 'off') expect(extensions).toEqual({});
    else
      expect(extensions['ext:verification@1.0.0']).toMatchObject({
        status: 'unverified',
        claims: { action: { status: 'unverified', detail: expect.stringContaining('ML-DSA-65') } },
      });
    expect((await services[policy]?.send(`/v1/action/${acted.body.actionId}`))?.status).toBe(200);
    const batch = { entities: [{ ...keyed, id: 'vic' }], actions: [body] };
    expect((await post(policy, '/v1/batch', batch)).status).toBe(201);
    await post(policy, '/v1/entity', { id: 'wes', role: 'human' });
    const { id: _, role: __, ...patch } = { ...keyed, id: '' };
    const patched = await services[policy]?.send('/v1/entity/wes', {
      ...jsonPost(patch),
      method: 'PATCH',
    });
    expect(patched?.status).toBe(200);
    const uploaded = await services[policy]?.upload(`by a key of another kind, ${policy}`, {
      entity: { ...keyed, id: 'xena' },
      action: { proof },
    });
    expect(uploaded?.status).toBe(201);
  });

  it.each(['off', 'warn'])(
    '%s: keys and proofs of a known kind must have the form of this kind',
    async (policy) => {
      const { id, publicKey, prove } = createPerformer('yan');
      const malformed = { id, role: 'human', publicKey, registrationSignature: 'garbage' };
      expect((await post(policy, '/v1/entity', malformed)).status).toBe(422);
      await post(policy, '/v1/entity', { id, role: 'human' });
      const proof = { ...prove('create', []), signature: 'garbage' };
      const refused = await post(policy, '/v1/action', { performedBy: id, proof });
      expect([refused.status, refused.body.error.details[0].path]).toEqual([422, 'proof.signature']);
      const upperCase = { role: 'human', id: 'zoe', publicKey: publicKey.toUpperCase() };
      expect((await post(policy, '/v1/entity', upperCase)).status).toBe(422);
      const misspelled = { ...prove('create', []), algorithm: 'ed25519' };
      expect((await post(policy, '/v1/action', { performedBy: id, proof: misspelled })).status).toBe(422);
    },
  );

  it.each([
    ['a key', '/v1/entity', { role: 'human', id: 'ada', publicKey: 'key \ud800' }],
    ...['algorithm', 'publicKey', 'signature', 'timestamp', 'signedTimestamp'].map((member) => [
      `the ${member} of a proof`,
      '/v1/action',
      {
        performedBy: 'uma',
        proof: { algorithm: 'a', publicKey: 'b', signature: 'c', timestamp: 'd', [member]: 'lone \ud800' },
      },
    ]),
  ] as [string, string, object][])('422 for a lone surrogate in %s', async (_member, path, body) => {
    expect((await post('off', path, body)).status).toBe(422);
    expect((await post('warn', path, body)).status).toBe(422);
  });

  it.each(['off', 'warn'])('%s: a claim may have a proof of an unknown kind', async (policy) => {
    const uploaded = await services[policy]?.upload(`claimed, ${policy}`, {
      entity: { id: 'bo', role: 'human' },
    });
    const cid = (await uploaded?.json())?.cid;
    const proof = { algorithm: 'ML-DSA-65', publicKey: 'k', signature: 's', timestamp: 't' };
    const claim = { entityId: 'bo', evidenceType: 'self-declaration', proof };
    const claimed = await post(policy, `/v1/resource/${cid}/ownership/claim`, claim);
    expect([claimed.status, claimed.body.action?.proof]).toEqual([201, proof]);
  });

  it('warn: the service logs the unknown inputs of a batch in one line', async () => {
    await post('warn', '/v1/entity', { id: 'tess', role: 'human' });
    warnings.length = 0;
    const cids = Array.from(
      { length: 30 },
      (_, n) => `sha256:${(0xabc000 + n).toString(16).padStart(64, '0')}`,
    );
    const actions = cids.map((cid, n) => ({ performedBy: 'tess', inputCids: [cid, cids[(n + 1) % 30]] }));
    expect((await post('warn', '/v1/batch', { actions })).status).toBe(201);
    const lines = warnings.filter(({ msg }) => /has no record of/.test(String(msg)));
    expect(lines).toHaveLength(1);
    expect(lines[0]?.msg).toMatch(/29 more inputs/);
  });
});
