import { registrationText } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNamedProjectKey } from '../../src/access/create-key.js';
import { createSigner } from '../../src/access/ed25519.js';
import { ANY_ENGINE, jsonPost, KEY, type Service, startService, toForm } from '../support/service.js';

const ann = createSigner('11'.repeat(32));
let files = 0;

describe('a key bound to an entity', () => {
  let service: Service;
  let annsKey: string;
  let bosKey: string;

  beforeAll(async () => {
    service = await startService(ANY_ENGINE, { environment: { PROOF_POLICY: 'enforce' } });
    const { publicKeyHex: publicKey } = ann;
    const registrationSignature = ann.sign(registrationText('ann', publicKey));
    const people = [{ id: 'ann', publicKey, registrationSignature }, { id: 'bo' }, { id: 'cy' }];
    for (const one of people) await service.send('/v1/entity', jsonPost({ role: 'human', ...one }));
    const keyOf = async (entityId: string) => {
      const options = { projectName: 'one', name: entityId, permission: 'write', entityId } as const;
      return (await createNamedProjectKey(service.context.databases.control, options)).key;
    };
    [annsKey, bosKey] = [await keyOf('ann'), await keyOf('bo')];
  });
  afterAll(() => service.stop());

  const ask = async (key: string, path: string, init: RequestInit) => {
    const answer = await service.send(path, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${key}` },
    });
    return { status: answer.status, body: await answer.json() };
  };
  const post = (key: string, path: string, body: object) => ask(key, path, jsonPost(body));
  const record = async (key: string, entityId: string) => {
    const said = { entity: { id: entityId, role: 'human' } };
    return ask(key, '/v1/activity', { method: 'POST', body: toForm(`content ${++files}`, said) });
  };
  const ofBo = async (): Promise<string> => (await record(bosKey, 'bo')).body.cid;
  const transfer = (key: string, cid: string, more: object = {}) =>
    post(key, `/v1/resource/${cid}/ownership/transfer`, {
      ...{ toEntityId: 'cy', transferType: 'voluntary' },
      ...more,
    });
  const ownerOf = async (cid: string) =>
    (await (await service.send(`/v1/resource/${cid}/ownership`)).json()).currentOwner.id;

  it('records only in the name of its entity', async () => {
    expect((await record(bosKey, 'bo')).status).toBe(201);
    expect(await record(bosKey, 'cy')).toMatchObject({
      status: 403,
      body: { error: { code: 'Forbidden', message: 'This API key acts only for entity bo.' } },
    });
    expect((await post(bosKey, '/v1/action', { performedBy: 'bo' })).status).toBe(201);
    expect((await post(bosKey, '/v1/action', { performedBy: 'cy' })).status).toBe(403);
  });

  it('does not replace the signature that an action needs', async () => {
    expect(await record(annsKey, 'ann')).toMatchObject({ status: 403 });
  });

  it('transfers content of its entity without a signature, and the record names the key', async () => {
    const cid = await ofBo();
    const { status, body } = await transfer(bosKey, cid);
    expect([status, body.action]).toMatchObject([
      201,
      {
        performedBy: 'bo',
        extensions: {
          'ext:auth@1.0.0': { method: 'bound-api-key', entityId: 'bo' },
          'ext:authorization@1.0.0': { status: 'authorized', authorizedBy: 'bo' },
          'ext:verification@1.0.0': { status: 'partial', claims: { identity: { status: 'verified' } } },
        },
      },
    ]);
    expect(await ownerOf(cid)).toBe('cy');
  });

  it('transfers content also for an owner with a registered public key', async () => {
    const cid = await ofBo();
    await transfer(bosKey, cid, { toEntityId: 'ann' });
    expect((await transfer(annsKey, cid)).status).toBe(201);
    expect(await ownerOf(cid)).toBe('cy');
  });

  it.each([
    ['in the name of the owner', { performedBy: 'bo' }],
    ['in the name of the entity of the key', { performedBy: 'ann' }],
    ['without a name', {}],
  ])('403: a transfer of content of another owner, %s', async (_, more) => {
    const cid = await ofBo();
    expect((await transfer(annsKey, cid, more)).status).toBe(403);
    expect(await ownerOf(cid)).toBe('bo');
  });

  it('403: an invalid signature, even with an API key bound to the owner', async () => {
    const cid = await ofBo();
    await transfer(bosKey, cid, { toEntityId: 'ann' });
    const proof = {
      ...{ algorithm: 'Ed25519', publicKey: ann.publicKeyHex, signature: 'ab'.repeat(64) },
      timestamp: new Date().toISOString(),
    };
    expect((await transfer(annsKey, cid, { proof })).status).toBe(403);
  });

  it('claims ownership only for its entity', async () => {
    const cid = await ofBo();
    const claim = (entityId: string) =>
      post(annsKey, `/v1/resource/${cid}/ownership/claim`, { entityId, evidenceType: 'self-declaration' });
    expect((await claim('ann')).status).toBe(201);
    expect((await claim('cy')).status).toBe(403);
  });

  it('can give anybody an attribution, but only for actions and content of its entity', async () => {
    const { body: own } = await record(bosKey, 'bo');
    const attribute = async (said: object) =>
      (await post(bosKey, '/v1/attribution', { entityId: 'cy', role: 'contributor', ...said })).status;
    expect(await attribute({ resourceCid: own.cid })).toBe(201);
    expect(await attribute({ actionId: own.actionId })).toBe(201);
    const others = await (
      await service.send(
        '/v1/action',
        jsonPost({ performedBy: 'cy', outputCids: [`sha256:${'6'.repeat(64)}`] }),
      )
    ).json();
    expect(await attribute({ entityId: 'bo', actionId: others.actionId })).toBe(403);
    expect(await attribute({ entityId: 'bo', resourceCid: others.action.outputCids[0] })).toBe(403);
    expect(await attribute({ actionId: own.actionId, resourceCid: others.action.outputCids[0] })).toBe(403);
    expect(await attribute({ resourceCid: `sha256:${'0'.repeat(64)}` })).toBe(404);
  });

  it('is checked for each record of a batch', async () => {
    const cid = await ofBo();
    const own = { id: '0198c0de-0000-7000-8000-00000000b0b0', performedBy: 'bo' };
    const credit = { entityId: 'cy', role: 'contributor' };
    const batch = async (key: string, body: object) => (await post(key, '/v1/batch', body)).status;
    const attributions = [
      { ...credit, actionId: own.id },
      { ...credit, resourceCid: cid },
    ];
    expect(await batch(bosKey, { actions: [own], attributions })).toBe(201);
    expect(await batch(bosKey, { actions: [own, { performedBy: 'cy' }] })).toBe(403);
    expect(await batch(bosKey, { entities: [{ id: 'dee', role: 'human' }] })).toBe(403);
    expect(await batch(annsKey, { attributions: [{ ...credit, resourceCid: cid }] })).toBe(403);
  });

  it('corrects only actions of its entity', async () => {
    const { cid, actionId } = (await record(bosKey, 'bo')).body;
    const correct = async (key: string, performedBy: string, corrected: string) => {
      const extensions = { 'ext:correction@1.0.0': { actionId: corrected } };
      const action = { performedBy, outputCids: [cid], extensions };
      return [
        (await post(key, '/v1/batch', { actions: [action] })).status,
        (await post(key, '/v1/action', action)).status,
      ];
    };
    expect(await correct(KEY, 'cy', actionId)).toEqual([201, 201]);
    expect(await correct(bosKey, 'bo', actionId)).toEqual([201, 201]);
    const others = (await post(KEY, '/v1/action', { performedBy: 'cy', outputCids: [cid] })).body.actionId;
    expect(await correct(bosKey, 'bo', others)).toEqual([403, 403]);
    expect(await correct(bosKey, 'bo', 'no id')).toEqual([201, 201]);
  });

  it('changes only its entity', async () => {
    const rename = (id: string) =>
      ask(bosKey, `/v1/entity/${id}`, { ...jsonPost({ name: 'Bo' }), method: 'PATCH' });
    expect([(await rename('bo')).status, (await rename('cy')).status]).toEqual([200, 403]);
  });

  it('has its entity in responses of the routes for API keys, and is never an admin key', async () => {
    await service.manage('bo', '/orgs', { body: { name: 'Studio', slug: 'studio' } });
    const project = await (
      await service.manage('bo', '/projects', { body: { orgSlug: 'studio', name: 'One' } })
    ).json();
    const make = async (more: object) => {
      const body = { projectId: project.id, name: 'key', permissions: 'write', entityId: 'bo', ...more };
      const answer = await service.manage('bo', '/api-keys', { body });
      return { status: answer.status, body: await answer.json() };
    };
    const { body: made } = await make({});
    const rotated = await service.manage('bo', `/api-keys/${made.id}/rotate`, { body: {} });
    const listed = await service.manage('bo', `/api-keys/${project.id}`);
    const validated = await service.manage('bo', '/auth/validate-key', { body: { key: made.key } });
    expect([made, await rotated.json(), (await listed.json())[0], await validated.json()]).toMatchObject(
      Array.from({ length: 4 }, () => ({ entityId: 'bo' })),
    );
    expect(await make({ permissions: 'admin' })).toMatchObject({
      status: 422,
      body: { error: { code: 'ValidationError', details: [{ path: 'entityId' }] } },
    });
    expect((await make({ entityId: '' })).status).toBe(422);
  });
});
