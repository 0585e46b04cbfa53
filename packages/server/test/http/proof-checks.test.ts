import crypto, { randomUUID } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { MAX_TIMESTAMP_LAG_MS } from '@colophon/model';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSignatureChecker } from '../../src/access/signatures/signature-checker.js';
import { createPerformer } from '../support/performer.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';

const MAX_FAULTS = 16;
/**
 * Maximum number of verifications of a proof for each possible timestamp. The performer may have signed the intent or
 * the full action, each with the canonical or the sent content ids.
 */
const MAX_TEXTS = 4;

const real = crypto.verify;
let onMainThread = 0;
beforeAll(() => {
  crypto.verify = ((...given: Parameters<typeof real>) => {
    onMainThread += 1;
    return real(...given);
  }) as typeof real;
  syncBuiltinESMExports();
});
afterAll(() => {
  crypto.verify = real;
  syncBuiltinESMExports();
});

const wrongProof = (id: string) => createPerformer(id).prove('verify', []);

describe('the cost of proofs', () => {
  const services: Record<string, Service> = {};
  beforeAll(async () => {
    for (const PROOF_POLICY of ['warn', 'enforce'])
      services[PROOF_POLICY] = await startService(ANY_ENGINE, { environment: { PROOF_POLICY } });
  });
  afterAll(async () => {
    for (const service of Object.values(services)) await service.stop();
  });
  beforeEach(() => {
    onMainThread = 0;
  });

  const post = async (policy: string, path: string, body: unknown) => {
    const answer = await services[policy]?.send(path, jsonPost(body));
    return { status: answer?.status, body: await answer?.json() };
  };
  const counts = async (policy: string) => {
    const text = (await (await fetch(`${services[policy]?.base}/metrics`)).text()) ?? '';
    const of = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
    return {
      verified: of('colophon_signature_verifications_total'),
      unchecked: of('colophon_signatures_unchecked_total'),
    };
  };
  const since = async (policy: string, before: Awaited<ReturnType<typeof counts>>) => {
    const now = await counts(policy);
    return { verified: now.verified - before.verified, unchecked: now.unchecked - before.unchecked };
  };
  const wrongBatch = (count: number) => {
    const id = `forger:${randomUUID()}`;
    const actions = Array.from({ length: count }, () => ({ performedBy: id, proof: wrongProof(id) }));
    return { entities: [{ id, role: 'human' }], actions };
  };

  it('is limited to MAX_PROOF_FAULTS wrong signatures a batch, and the main thread verifies no signature', async () => {
    const keyed = createPerformer(`keyed:${randomUUID()}`);
    const { id, publicKey, registrationSignature } = keyed;
    const { entities, actions } = wrongBatch(64);
    const before = await counts('enforce');
    const { status, body } = await post('enforce', '/v1/batch', {
      entities: [...entities, { id, role: 'human', publicKey, registrationSignature }],
      actions: [...actions, { performedBy: id }],
    });
    expect(status).toBe(403);
    expect(onMainThread).toBe(0);
    const paths = body.error.details.map(({ path }: { path: string }) => path);
    // The service checks no signature after the 16 wrong ones, but it still reports the missing proof of action 64.
    expect(paths).toEqual([
      ...Array.from({ length: MAX_FAULTS }, (_, at) => `actions.${at}`),
      'actions.64',
      '',
    ]);
    expect(body.error.details.at(-1)).toMatchObject({ truncated: true });
    expect(body.error.details.at(-1).message).toContain('MAX_PROOF_FAULTS');
    const made = await since('enforce', before);
    expect(made.verified).toBeLessThanOrEqual(1 + MAX_FAULTS * MAX_TEXTS);
    expect(made.unchecked).toBe(64 - MAX_FAULTS);
  });

  it('under warn, the actions after the limit are recorded as unverified, even with valid proofs', async () => {
    const ann = createPerformer(`ann:${randomUUID()}`);
    const { id, publicKey, registrationSignature } = ann;
    const { entities, actions } = wrongBatch(MAX_FAULTS);
    const rightAt = (time: string) => ({ performedBy: id, proof: ann.prove('create', [], time) });
    const before = await counts('warn');
    const { status, body } = await post('warn', '/v1/batch', {
      entities: [...entities, { id, role: 'human', publicKey, registrationSignature }],
      actions: [rightAt('2026-08-02T09:30:00.000Z'), ...actions, rightAt('2026-08-02T09:30:01.000Z')],
    });
    expect([status, onMainThread], JSON.stringify(body)).toEqual([201, 0]);
    expect((await since('warn', before)).unchecked).toBe(1);
    const verdictOf = async (index: number) => {
      const answer = await services.warn?.send(`/v1/action/${body.actions[index].actionId}`);
      const action = await answer?.json();
      return action.extensions['ext:verification@1.0.0'];
    };
    expect((await verdictOf(0)).claims).toMatchObject({
      identity: { status: 'verified' },
      action: { status: 'verified' },
    });
    expect(await verdictOf(MAX_FAULTS)).toMatchObject({ claims: { action: { status: 'failed' } } });
    const unchecked = await verdictOf(MAX_FAULTS + 1);
    expect(unchecked.status).toBe('unverified');
    expect(unchecked.claims).toMatchObject({
      identity: { status: 'unverified' },
      action: { status: 'unverified', detail: expect.stringContaining('not checked') },
    });
  });

  it('includes a limited search for an unstated signed time, only for a single action', async () => {
    const id = `bea:${randomUUID()}`;
    await post('enforce', '/v1/entity', { id, role: 'human' });
    const bea = createPerformer(id);
    const at = new Date('2026-08-02T09:30:00.000Z').toISOString();
    const late = { ...bea.prove('create', [], at), timestamp: '2026-08-02T09:30:00.007Z' };
    const action = { type: 'create', performedBy: id, proof: late };
    expect((await post('enforce', '/v1/batch', { actions: [action] })).status).toBe(403);
    const named = { ...action, proof: { ...late, signedTimestamp: at } };
    expect((await post('enforce', '/v1/batch', { actions: [named] })).status).toBe(201);
    const again = {
      ...action,
      proof: { ...bea.prove('create', [], at), timestamp: '2026-08-02T09:30:00.009Z' },
    };
    expect((await post('enforce', '/v1/action', again)).status).toBe(409);
    const before = await counts('enforce');
    expect((await post('enforce', '/v1/action', { performedBy: id, proof: wrongProof(id) })).status).toBe(
      403,
    );
    expect((await since('enforce', before)).verified).toBeLessThanOrEqual(
      MAX_TEXTS * (1 + MAX_TIMESTAMP_LAG_MS),
    );
    expect(onMainThread).toBe(0);
  });
});

describe('the thread that checks signatures', () => {
  const searched = (id: string) => ({
    kind: 'action' as const,
    proof: wrongProof(id),
    action: {
      type: 'create',
      entityId: id,
      asSent: { inputs: [], outputs: [] },
      canonical: { inputs: [], outputs: [] },
    },
    maxLagMs: MAX_TIMESTAMP_LAG_MS,
  });

  it('takes turns between projects: a check of another project runs before most of the first project', async () => {
    const checker = createSignatureChecker();
    const done: string[] = [];
    const check = async (projectId: string, maxLagMs: number) => {
      await checker.check(projectId, [{ ...searched(projectId), maxLagMs }]);
      done.push(projectId);
    };
    const many = Array.from({ length: 8 }, () => check('greedy', MAX_TIMESTAMP_LAG_MS));
    await Promise.all([...many, check('honest', 0)]);
    expect(done.indexOf('honest')).toBe(0);
    await checker.close();
  });

  it('rejects its pending checks when it is closed, and all later checks', async () => {
    const checker = createSignatureChecker();
    const asked = checker.check('one', [searched('ann')]);
    await checker.close();
    await expect(asked).rejects.toMatchObject({ code: 'Unavailable' });
    const later = checker.check('one', [searched('ann')]);
    await expect(later).rejects.toMatchObject({ code: 'Unavailable' });
  });
});
