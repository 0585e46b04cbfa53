import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPerformer } from '../support/performer.js';
import { jsonPost, type Service, startService } from '../support/service.js';

let drawn = 0;
const freshCid = () => `sha256:${(++drawn).toString(16).padStart(64, '0')}`;
const ANN = { id: 'studio:ann', role: 'human', name: 'Ann' };

describe('the proofs of a batch', () => {
  const warnings: { msg: string }[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => void warnings.push(JSON.parse(line)) });
  const services: Partial<Record<string, Service>> = {};
  beforeAll(async () => {
    for (const PROOF_POLICY of ['warn', 'enforce'])
      services[PROOF_POLICY] = await startService('PostgreSQL', {
        environment: { PROOF_POLICY },
        overrides: { logger },
      });
  });
  afterAll(async () => {
    for (const service of Object.values(services)) await service?.stop();
  });
  const post = async (policy: string, body: unknown, headers: Record<string, string> = {}) => {
    const answer = await services[policy]?.send('/v1/batch', jsonPost(body, headers));
    return { status: answer?.status, body: await answer?.json() };
  };

  it('201: the service registers a performer of the batch, and verifies proofs over its outputs', async () => {
    const ann = createPerformer(`ann:${randomUUID()}`);
    const { id, publicKey, registrationSignature } = ann;
    const cid = freshCid();
    const entities = [{ id, role: 'human', publicKey, registrationSignature }];
    const actions = [
      { performedBy: id, outputCids: [cid], proof: ann.prove('create', []) },
      { type: 'verify', performedBy: id, inputCids: [cid], proof: ann.prove('verify', [cid]) },
    ];
    const { status, body } = await post('enforce', { entities, actions });
    expect(status, JSON.stringify(body)).toBe(201);
    const action = await (await services.enforce?.send(`/v1/action/${body.actions[1].actionId}`))?.json();
    expect(action.extensions['ext:verification@1.0.0'].claims.action.status).toBe('verified');
  });

  it('403: lists wrong and missing proofs by their index; 409: a repeated proof; 404: an unknown input', async () => {
    const ann = createPerformer(`ann:${randomUUID()}`);
    const { id, publicKey, registrationSignature } = ann;
    const entity = { id, role: 'human', publicKey, registrationSignature };
    const wrong = createPerformer(id).prove('create', []);
    const refused = await post('enforce', {
      entities: [entity, { id: 'x', role: 'human', publicKey: '77'.repeat(32) }],
      actions: [
        { performedBy: id, proof: ann.prove('create', []) },
        { performedBy: id, proof: wrong },
        { performedBy: id },
      ],
    });
    expect(refused.status).toBe(403);
    expect(refused.body.error.details.map(({ path }: { path: string }) => path)).toEqual([
      'entities.1',
      'actions.1',
      'actions.2',
    ]);
    const proof = ann.prove('create', []);
    const twice = await post('enforce', {
      entities: [entity],
      actions: [
        { performedBy: id, proof },
        { performedBy: id, proof },
      ],
    });
    expect([twice.status, twice.body.error.details[0].path]).toEqual([409, 'actions.1']);
    const cid = freshCid();
    const inputs = { type: 'verify', performedBy: id, inputCids: [cid], proof: ann.prove('verify', [cid]) };
    expect((await post('enforce', { entities: [entity], actions: [inputs] })).status).toBe(404);
  });

  it('a repetition by ids or by Idempotency-Key succeeds even after the performer got a public key', async () => {
    const ann = createPerformer(`ann:${randomUUID()}`);
    const { id, publicKey, registrationSignature } = ann;
    const withId = { actions: [{ id: randomUUID(), performedBy: id }] };
    const withKey = { actions: [{ performedBy: id }] };
    const headers = { 'idempotency-key': randomUUID() };
    await post('enforce', { entities: [{ id, role: 'human' }] });
    const first = [await post('enforce', withId), await post('enforce', withKey, headers)];
    expect(first.map(({ status }) => status)).toEqual([201, 201]);
    const patched = await services.enforce?.send(`/v1/entity/${encodeURIComponent(id)}`, {
      ...jsonPost({ publicKey, registrationSignature }),
      method: 'PATCH',
    });
    expect(patched?.status).toBe(200);
    expect((await post('enforce', withKey)).status).toBe(403);
    expect((await post('enforce', withId)).status).toBe(200);
    expect(await post('enforce', withKey, headers)).toEqual(first[1]);
  });

  it('201: with PROOF_POLICY=warn, the service logs unknown inputs, but not outputs of the same batch', async () => {
    const [made, unknown] = [freshCid(), freshCid()];
    warnings.length = 0;
    const { status } = await post('warn', {
      entities: [ANN],
      actions: [
        { performedBy: ANN.id, outputCids: [made] },
        { performedBy: ANN.id, inputCids: [made, unknown] },
      ],
    });
    expect(status).toBe(201);
    expect(
      warnings.filter(({ msg }) => msg.startsWith('This project has no record of the input')),
    ).toHaveLength(1);
  });
});
