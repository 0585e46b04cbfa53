import { createHash } from 'node:crypto';
import { verifyWitness } from '@colophon/model';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVerifySignature } from '../../src/access/ed25519.js';
import { createPerformer } from '../support/performer.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';

const SIGNING_KEY = createHash('sha256').update('a test key').digest('hex');
const UNKNOWN_INPUT = 'Qmf412jQZiuVUtdgnB36FXFX7xg5V6KEbSJ4dpQuhkLyfD';

describe('proofs', () => {
  const services: Partial<Record<string, Service>> = {};
  const warnings: Record<string, unknown>[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => void warnings.push(JSON.parse(line)) });
  beforeAll(async () => {
    for (const PROOF_POLICY of ['off', 'warn', 'enforce']) {
      services[PROOF_POLICY] = await startService(ANY_ENGINE, {
        environment: { PROOF_POLICY, SERVER_SIGNING_KEY: SIGNING_KEY },
        overrides: { logger },
      });
    }
  });
  afterAll(async () => {
    for (const service of Object.values(services)) await service?.stop();
  });

  const post = async (policy: string, path: string, body: unknown) => {
    const answer = await services[policy]?.send(path, jsonPost(body));
    return { status: answer?.status, body: await answer?.json() };
  };
  const register = (policy: string, performer: ReturnType<typeof createPerformer>) =>
    post(policy, '/v1/entity', {
      id: performer.id,
      role: 'human',
      publicKey: performer.publicKey,
      registrationSignature: performer.registrationSignature,
    });

  it('enforce 201: a performer signs; the service records the verdict and countersigns the bytes', async () => {
    const ann = createPerformer('ann');
    const made = await register('enforce', ann);
    expect(made.status).toBe(201);
    expect(made.body.entity.extensions['ext:identity@1.0.0']).toMatchObject({ method: 'key-ownership' });
    expect((await register('enforce', ann)).status).toBe(200);

    const proof = ann.prove('create', []);
    const answer = await services.enforce?.upload('signed by ann', {
      entity: { id: 'ann', role: 'human' },
      action: { proof },
    });
    expect(answer?.status).toBe(201);
    const { cid, actionId } = (await answer?.json()) ?? {};
    const action = await (await services.enforce?.send(`/v1/action/${actionId}`))?.json();
    expect(action.proof).toEqual(proof);
    expect(action.extensions['ext:verification@1.0.0']).toMatchObject({
      status: 'verified',
      policyUsed: 'enforce',
    });
    const witness = action.extensions['ext:witness@1.0.0'];
    const expected = {
      actionId,
      entityId: 'ann',
      outputCid: cid,
      proof,
      serverPublicKey: witness.serverPublicKey,
    };
    expect(verifyWitness(witness, expected, createVerifySignature())).toMatchObject({ verified: true });
  });

  it('enforce 201: a signature over the input identifiers as sent, with a time 7 ms before the timestamp', async () => {
    const bob = createPerformer('bob');
    await register('enforce', bob);
    await services.enforce?.upload('hello world', {
      entity: { id: 'bob', role: 'human' },
      action: { proof: bob.prove('create', []) },
    });
    const digest = `sha256:${createHash('sha256').update('hello world').digest('hex')}`;
    const signedAt = new Date();
    const proof = bob.prove('transform', [digest], signedAt.toISOString());
    const sentAt = new Date(signedAt.getTime() + 7).toISOString();
    const made = await post('enforce', '/v1/action', {
      performedBy: 'bob',
      type: 'transform',
      inputCids: [digest],
      proof: { ...proof, timestamp: sentAt },
    });
    expect(made.status).toBe(201);
    expect(made.body.action.inputCids[0]).toMatch(/^bafkrei/);
  });

  it.each([
    ['no proof of a keyed entity', (p: object) => ({ ...p, proof: undefined })],
    ['a proof for another action type', (p: object) => ({ ...p, type: 'verify' })],
    [
      'a flipped signature',
      (p: { proof: { signature: string } }) => ({
        ...p,
        proof: { ...p.proof, signature: p.proof.signature.replace(/^./, (c) => (c === '0' ? '1' : '0')) },
      }),
    ],
    [
      'another key than the registered one',
      (p: { performedBy: string; proof: object }) => ({
        ...p,
        proof: createPerformer(p.performedBy).prove('create', []),
      }),
    ],
  ])('enforce 403 and nothing recorded: %s', async (name, spoil) => {
    const carl = createPerformer(`carl ${name}`);
    await register('enforce', carl);
    const whole = { performedBy: carl.id, type: 'create', proof: carl.prove('create', []) };
    const refused = await post('enforce', '/v1/action', spoil(whole));
    expect([refused.status, refused.body.error?.code]).toEqual([403, 'Forbidden']);
    const listed = await services.enforce?.send(`/v1/actions?performedBy=${encodeURIComponent(carl.id)}`);
    expect(await listed?.json()).toMatchObject({ count: 0 });
  });

  it.each([
    ['all-zero', { publicKey: '0'.repeat(64), signature: '0'.repeat(128) }],
    ['the neutral element', { publicKey: `01${'0'.repeat(62)}`, signature: `01${'0'.repeat(126)}` }],
    ['its own key and an invented signature', { signature: '1'.repeat(128) }],
  ])(
    'enforce 403 and nothing recorded: the key and signature of an unkeyed entity are %s',
    async (name, forged) => {
      const id = `unkeyed ${name}`;
      await post('enforce', '/v1/entity', { id, role: 'human' });
      const proof = { ...createPerformer(id).prove('create', []), ...forged };
      const refused = await post('enforce', '/v1/action', { performedBy: id, proof });
      expect([refused.status, refused.body.error?.code]).toEqual([403, 'Forbidden']);
      const listed = await services.enforce?.send(`/v1/actions?performedBy=${encodeURIComponent(id)}`);
      expect(await listed?.json()).toMatchObject({ count: 0 });
      const sound = createPerformer(id).prove('create', []);
      expect((await post('enforce', '/v1/action', { performedBy: id, proof: sound })).status).toBe(201);
    },
  );

  it('enforce: a keyed entity needs its registration signature; an unkeyed one may act without proof', async () => {
    const dan = createPerformer('dan');
    const entity = { id: 'dan', role: 'human', publicKey: dan.publicKey };
    expect((await post('enforce', '/v1/entity', entity)).status).toBe(403);
    const wrong = { ...entity, registrationSignature: createPerformer('dan').registrationSignature };
    expect((await post('enforce', '/v1/entity', wrong)).status).toBe(403);
    expect((await services.enforce?.send('/v1/entity/dan'))?.status).toBe(404);
    await post('enforce', '/v1/entity', { id: 'eve', role: 'human' });
    const acted = await post('enforce', '/v1/action', { performedBy: 'eve' });
    expect(acted.body.action.extensions['ext:verification@1.0.0'].status).toBe('skipped');
  });

  it('enforce: a repetition gets the first answer, even if its performer has a key by then', async () => {
    const kim = createPerformer('kim');
    const { publicKey, registrationSignature } = kim;
    await post('enforce', '/v1/entity', { id: 'kim', role: 'human' });
    const byId = { performedBy: 'kim', id: '0198c0de-0000-7000-8000-00000000c001' };
    const act = (key?: string) =>
      services.enforce?.send(
        '/v1/action',
        jsonPost({ performedBy: 'kim', type: 'verify' }, key === undefined ? {} : { 'idempotency-key': key }),
      );
    const upload = () =>
      services.enforce?.upload(
        'sent again by kim',
        { entity: { id: 'kim', role: 'human' } },
        { 'idempotency-key': 'kim-2' },
      );
    const first = [await (await act('kim-1'))?.json(), await (await upload())?.json()];
    expect((await post('enforce', '/v1/action', byId)).status).toBe(201);
    const patch = { ...jsonPost({ publicKey, registrationSignature }), method: 'PATCH' };
    expect((await services.enforce?.send('/v1/entity/kim', patch))?.status).toBe(200);
    const again = [await (await act('kim-1'))?.json(), await (await upload())?.json()];
    expect(again).toEqual(first);
    expect((await post('enforce', '/v1/action', byId)).status).toBe(200);
    expect((await act())?.status).toBe(403);
  });

  it('enforce 404: an unknown input; off and warn accept it', async () => {
    for (const [policy, status] of [
      ['enforce', 404],
      ['warn', 201],
      ['off', 201],
    ] as const) {
      await post(policy, '/v1/entity', { id: 'finn', role: 'human' });
      const made = await post(policy, '/v1/action', { performedBy: 'finn', inputCids: [UNKNOWN_INPUT] });
      expect(made.status, policy).toBe(status);
    }
  });

  it('warn: records the requests that enforce rejects, with the verdict; off: records no verdict', async () => {
    const gil = createPerformer('gil');
    for (const policy of ['warn', 'off']) await register(policy, gil);
    const body = { performedBy: 'gil', proof: { ...gil.prove('create', []), signature: '1'.repeat(128) } };
    const warned = await post('warn', '/v1/action', body);
    expect(warned.body.action.extensions['ext:verification@1.0.0']).toMatchObject({
      status: 'unverified',
      claims: { action: { status: 'failed' } },
    });
    const ignored = await post('off', '/v1/action', body);
    expect(ignored.body.action.extensions).toEqual({});
    expect(ignored.body.action.proof).toEqual(body.proof);
  });

  it('warn: logs what enforce rejects, with the ids of request, project, entity and action', async () => {
    const lea = createPerformer('lea');
    const { publicKey } = lea;
    warnings.length = 0;
    const made = await post('warn', '/v1/entity', { id: 'lea', role: 'human', publicKey });
    expect(made.status).toBe(201);
    const inputCids = [`sha256:${'1e'.repeat(32)}`];
    const { body } = await post('warn', '/v1/action', { performedBy: 'lea', inputCids });
    const uploaded = await services.warn?.upload('by lea', {
      entity: { id: 'lea', role: 'human' },
      action: { inputCids: [`sha256:${'2e'.repeat(32)}`] },
    });
    const { actionId } = (await uploaded?.json()) ?? {};
    await post('warn', '/v1/entity', { id: 'mia', role: 'human' });
    const patch = { ...jsonPost({ publicKey }), method: 'PATCH' };
    expect((await services.warn?.send('/v1/entity/mia', patch))?.status).toBe(200);
    const project = expect.stringMatching(/^[0-9a-f-]{36}$/);
    const line = (msg: RegExp, facts: object) =>
      expect.objectContaining({
        reqId: expect.any(String),
        project,
        msg: expect.stringMatching(msg),
        ...facts,
      });
    expect(warnings).toEqual([
      line(/without registrationSignature/, { entityId: 'lea' }),
      line(/This project has no record of the input/, { entityId: 'lea', actionId: body.actionId }),
      line(/proof is missing/, { entityId: 'lea', actionId: body.actionId }),
      line(/This project has no record of the input/, { entityId: 'lea', actionId }),
      line(/proof is missing/, { entityId: 'lea', actionId }),
      line(/without registrationSignature/, { entityId: 'mia' }),
    ]);
  });

  it('422: a proof with another algorithm, or with a key or signature in the wrong form', async () => {
    await post('enforce', '/v1/entity', { id: 'hal', role: 'human' });
    const proof = createPerformer('hal').prove('create', []);
    for (const change of [{ algorithm: 'ECDSA-secp256k1' }, { signature: 'garbage' }, { publicKey: 'FF' }]) {
      const refused = await post('enforce', '/v1/action', {
        performedBy: 'hal',
        proof: { ...proof, ...change },
      });
      expect(refused.status).toBe(422);
    }
    const keyed = { id: 'hal-2', role: 'human', publicKey: 'did:key:zQ', registrationSignature: 'signed' };
    for (const [path, body] of [
      ['/v1/entity', keyed],
      ['/v1/batch', { entities: [keyed] }],
      ['/v1/batch', { actions: [{ performedBy: 'hal', proof: { ...proof, algorithm: 'ML-DSA-65' } }] }],
    ] as const) {
      const refused = await post('enforce', path, body);
      expect([path, refused.status]).toEqual([path, 422]);
    }
  });

  it('patch: under warn, a later signature can prove a stored key; without a key to prove, it gets 422', async () => {
    const noa = createPerformer('noa');
    const { publicKey, registrationSignature } = noa;
    for (const policy of ['off', 'warn']) {
      const patch = async (body: object) => {
        const answer = await services[policy]?.send('/v1/entity/noa', { ...jsonPost(body), method: 'PATCH' });
        return { status: answer?.status, body: await answer?.json() };
      };
      await post(policy, '/v1/entity', { id: 'noa', role: 'human' });
      expect((await patch({ registrationSignature })).status).toBe(422);
      expect((await patch({ publicKey })).body).not.toHaveProperty('extensions');
      const proven = await patch({ registrationSignature });
      if (policy === 'off') {
        expect(proven.status).toBe(422);
        continue;
      }
      expect(proven.body.extensions['ext:identity@1.0.0']).toMatchObject({ registrationSignature });
      expect((await patch({ registrationSignature })).status).toBe(422);
      expect((await patch({ publicKey, registrationSignature })).status).toBe(200);
    }
    await post('warn', '/v1/entity', { id: 'pia', role: 'human', publicKey });
    const wrong = { ...jsonPost({ publicKey, registrationSignature }), method: 'PATCH' };
    const flagged = await (await services.warn?.send('/v1/entity/pia', wrong))?.json();
    expect(flagged.extensions['ext:verification@1.0.0']).toMatchObject({ registrationVerified: false });
  });

  it('patch: a key that is added later needs a registration signature, and cannot be changed', async () => {
    const ida = createPerformer('ida');
    await post('enforce', '/v1/entity', { id: 'ida', role: 'human' });
    const patch = async (body: object) =>
      services.enforce?.send('/v1/entity/ida', { ...jsonPost(body), method: 'PATCH' });
    expect((await patch({ publicKey: ida.publicKey }))?.status).toBe(403);
    const { publicKey, registrationSignature } = ida;
    const given = await (await patch({ publicKey, registrationSignature }))?.json();
    expect(given.extensions['ext:identity@1.0.0']).toMatchObject({ registrationSignature });
    expect((await patch({ publicKey: createPerformer('ida').publicKey }))?.status).toBe(409);
    expect((await post('enforce', '/v1/action', { performedBy: 'ida' })).status).toBe(403);
  });
});

describe('a proof', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE, { environment: { PROOF_POLICY: 'enforce' } });
  });
  afterAll(() => service.stop());

  it('is valid for one action: a copy in another action of the same performer, type and inputs gets 409', async () => {
    const cy = createPerformer('cy');
    const { publicKey, registrationSignature } = cy;
    await service.send('/v1/entity', jsonPost({ id: 'cy', role: 'human', publicKey, registrationSignature }));
    const id = '0198c0de-0000-7000-8000-00000000cccc';
    const action = { id, proof: cy.prove('create', []) };
    const record = (content: string, more: object) =>
      service.upload(content, { entity: { id: 'cy', role: 'human' }, action: { ...action, ...more } });
    const first = await record('painted by cy', {});
    expect(first.status).toBe(201);
    const { cid } = await first.json();
    const { proof } = (await (await service.send(`/v1/bundle/${cid}`)).json()).actions[0];
    const others = [
      await record('painted by somebody else', { id: undefined, proof }),
      await service.send('/v1/action', jsonPost({ performedBy: 'cy', proof })),
    ];
    for (const other of others) {
      const { error } = await other.json();
      expect([other.status, error.code, error.details]).toEqual([409, 'Conflict', { actionId: id }]);
    }
    expect((await record('painted by cy', {})).status).toBe(200);
    const anew = { id: undefined, proof: cy.prove('create', [], '2026-01-02T03:04:05.678Z') };
    expect((await record('painted by cy too', anew)).status).toBe(201);
  });

  it('sent twenty times at once is recorded once', async () => {
    const di = createPerformer('di');
    const { publicKey, registrationSignature } = di;
    await service.send('/v1/entity', jsonPost({ id: 'di', role: 'human', publicKey, registrationSignature }));
    const body = { performedBy: 'di', proof: di.prove('create', []) };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => service.send('/v1/action', jsonPost(body))),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(19).fill(409)]);
  });
});
