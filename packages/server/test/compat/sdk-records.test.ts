import { ProvenanceKit, type ProvenanceKitError } from '@provenancekit/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANY_ENGINE, KEY, type Service, startService } from '../support/service.js';

const UNKNOWN = `sha256:${'0'.repeat(64)}`;

describe('the ProvenanceKit SDK records and reads', () => {
  let service: Service;
  let pk: ProvenanceKit;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    pk = new ProvenanceKit({ baseUrl: `${service.base}/`, apiKey: KEY, projectId: 'passed over' });
  });
  afterAll(() => service.stop());

  const ann = { id: 'studio:ann', role: 'human', name: 'Ann' };
  /** A recording never changes the stored name. */
  const byAnn = { id: 'studio:ann', role: 'human' };
  const fault = (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      ({ code, status }: ProvenanceKitError) => ({ code, status }),
    );

  it('health: returns the status and the version of the service', async () => {
    expect(await pk.health()).toMatchObject({ status: 'ok', version: expect.any(String) });
  });

  it('entity: returns the id, and changes name and metadata of an entity without a key', async () => {
    expect(await pk.entity({ ...ann, wallet: '0x01' } as typeof ann)).toBe('studio:ann');
    const named = { ...ann, name: 'Anna', metadata: { town: 'Ulm', wallet: '0x01' } };
    expect(await pk.entity(named)).toBe('studio:ann');
    const { entity } = await pk.getEntity('studio:ann');
    expect(entity).toMatchObject({ name: 'Anna', metadata: { town: 'Ulm', wallet: '0x01' } });
  });

  it.each([
    ['the wallet', { wallet: '0x02' }],
    ['a wallet among the metadata', { metadata: { wallet: '0x02' } }],
    ['the role', { role: 'organization' }],
    ['a public key', { publicKey: 'ab'.repeat(32) }],
  ])('entity: never changes %s', async (_, change) => {
    const changed = { id: 'studio:ann', role: 'human', ...change };
    expect(await fault(pk.entity(changed))).toEqual({ code: 'Conflict', status: 409 });
    expect(await pk.getEntity('studio:ann')).toMatchObject({
      entity: { role: 'human', metadata: { wallet: '0x01' } },
    });
  });

  it('entity: an entity with a key keeps its name', async () => {
    const keyed = { id: 'keyed', role: 'human', name: 'K', publicKey: 'cd'.repeat(32) };
    await pk.entity(keyed);
    expect(await fault(pk.entity({ ...keyed, name: 'Mallory' }))).toMatchObject({ code: 'Conflict' });
    expect(await pk.getEntity('keyed')).toMatchObject({ entity: { name: 'K' } });
  });

  it('getEntity, getAIAgent, listEntities: return a recorded AI agent; getAIAgent rejects a person', async () => {
    const aiAgent = {
      model: { provider: 'Acme', model: 'painter' },
      delegatedBy: 'studio:ann',
      autonomyLevel: 'supervised' as const,
    };
    const id = await pk.entity({ role: 'ai', name: 'Painter', aiAgent });
    expect(await pk.getEntity(id)).toMatchObject({
      entity: { id, role: 'ai', extensions: { 'ext:ai@1.0.0': { agent: aiAgent } } },
      isAIAgent: true,
      aiAgent,
    });
    expect(await pk.getAIAgent(id)).toEqual({ agentData: aiAgent });
    expect(await fault(pk.getAIAgent('studio:ann'))).toEqual({ code: 'Unsupported', status: 415 });
    expect(await fault(pk.getEntity('nobody'))).toEqual({ code: 'NotFound', status: 404 });
    const { entities, count } = await pk.listEntities({ role: 'ai', limit: 10, offset: 0 });
    expect([entities.map((one) => one.id), count]).toEqual([[id], 1]);
  });

  it('entity: a custom role is stored with its prefix', async () => {
    const id = await pk.entity({ role: 'creator', name: 'Cy' });
    expect((await pk.listEntities({ role: 'creator' })).entities).toMatchObject([
      { id, role: 'ext:creator' },
    ]);
  });

  it('file: records bytes without an action, and reports the same bytes again as a duplicate', async () => {
    const made = await pk.file(Buffer.from('one'), { entity: byAnn });
    expect(made).toMatchObject({ cid: expect.stringMatching(/^b/), entityId: 'studio:ann' });
    const fresh = new ProvenanceKit({ baseUrl: service.base, apiKey: KEY });
    expect(await fresh.file(Buffer.from('one'), { entity: byAnn, resourceType: 'text' })).toMatchObject({
      cid: made.cid,
      duplicate: { cid: made.cid, similarity: 1 },
      matched: { cid: made.cid, score: 1, type: 'text' },
    });
  });

  it('bundle, provenance, graph, sessionProvenance: return the data that file sent', async () => {
    const source = await pk.file(Buffer.from('source'), { entity: byAnn, sessionId: 's1' });
    const aiTool = { provider: 'Acme', model: 'painter', prompt: 'a cat', tokensUsed: 7 };
    const made = await pk.file(new Blob(['picture']), {
      entity: { id: 'bot', role: 'ai', name: 'Bot' },
      action: {
        type: 'generate',
        inputCids: [source.cid],
        toolCid: source.cid,
        proof: 'as text',
        extensions: { 'ext:note@1.0.0': { text: 'ü' } },
        aiTool,
      },
      resourceType: 'image',
      resourceExtensions: { 'ext:colour@1.0.0': { main: 'red' } },
      attribution: {
        contrib: { weight: 60, basis: 'percentage' },
        license: 'CC_BY',
        payment: { address: '0x09', chainId: 8453, method: 'direct' },
      },
      sessionId: 's1',
    });
    const bundle = await pk.bundle(made.cid);
    expect(bundle.context).toBe('https://provenancekit.com/context/v2');
    expect(bundle.actions.map(({ id }) => id)).toEqual([source.actionId, made.actionId]);
    expect(bundle.actions[1]).toMatchObject({
      type: 'generate',
      performedBy: 'bot',
      inputs: [{ ref: source.cid, scheme: 'cid' }],
      outputs: [{ ref: made.cid, scheme: 'cid' }],
      proof: 'as text',
      extensions: {
        'ext:note@1.0.0': { text: 'ü' },
        'ext:ai@1.0.0': { provider: 'Acme', model: 'painter', tool: aiTool },
        'ext:session@1.0.0': { sessionId: 's1' },
        toolCid: source.cid,
      },
    });
    expect(bundle.resources.find(({ address }) => address?.ref === made.cid)).toMatchObject({
      address: { ref: made.cid, scheme: 'cid', size: 7 },
      type: 'image',
      createdBy: 'bot',
      rootAction: made.actionId,
      locations: [{ provider: 'colophon' }],
      extensions: {
        'ext:license@1.0.0': { type: 'CC-BY-4.0', attribution: 'required' },
        'ext:colour@1.0.0': { main: 'red' },
      },
    });
    expect(bundle.attributions.find(({ entityId }) => entityId === 'bot')).toMatchObject({
      resourceRef: { ref: made.cid, scheme: 'cid' },
      role: 'creator',
      extensions: {
        'ext:contrib@1.0.0': { weight: 60, basis: 'percentage' },
        'ext:payment@1.0.0': { recipient: { address: '0x09', chainId: 8453 }, method: 'direct' },
      },
    });
    expect(await pk.provenance(made.cid)).toEqual(bundle);
    const { nodes, edges } = await pk.graph(made.cid);
    const act = `act:${made.actionId}`;
    expect(edges).toEqual(
      expect.arrayContaining([
        { from: 'ent:bot', to: act, type: 'performedBy' },
        { from: `res:${source.cid}`, to: act, type: 'consumes' },
        { from: `res:${source.cid}`, to: act, type: 'tool' },
        { from: act, to: `res:${made.cid}`, type: 'produces' },
      ]),
    );
    expect(nodes.find(({ id }) => id === `res:${made.cid}`)).toMatchObject({
      type: 'resource',
      data: { ref: made.cid, type: 'image', createdBy: 'bot' },
    });
    const session = await pk.sessionProvenance('s1');
    expect(session).toMatchObject({ sessionId: 's1', summary: { actions: 2, entities: 2, attributions: 2 } });
    expect(session.actions[0]).toMatchObject({ id: source.actionId, outputs: [{ ref: source.cid }] });
  });

  it('bundle: throws NotFound for unknown content; graph, sessionProvenance: are empty for unknown ids', async () => {
    expect(await fault(pk.bundle(UNKNOWN))).toEqual({ code: 'NotFound', status: 404 });
    expect(await pk.graph(UNKNOWN)).toEqual({ nodes: [], edges: [] });
    expect((await pk.sessionProvenance('none')).summary.actions).toBe(0);
  });

  it('distribution, distributionPreview: return the shares of the creators', async () => {
    const weighed = (weight: number) => ({ attribution: { contrib: { weight } } });
    const one = await pk.file(Buffer.from('shared'), { entity: byAnn, ...weighed(3) });
    const two = await pk.file(Buffer.from('alone'), { entity: { id: 'bot', role: 'ai' } });
    expect(await pk.distribution(one.cid)).toMatchObject({
      resourceRef: { ref: one.cid, scheme: 'cid' },
      entries: [{ entityId: 'studio:ann', bps: 10000, percentage: '100.00%', payment: { address: '0x01' } }],
      totalBps: 10000,
      metadata: { algorithmVersion: 'largest-remainder-v1' },
    });
    expect(await pk.distributionPreview([one.cid, two.cid, UNKNOWN], true)).toMatchObject({
      distributions: [{ cid: one.cid }, { cid: two.cid }],
      summary: { resourcesProcessed: 2, uniqueContributors: 2 },
      combined: { entries: [{ bps: 5000 }, { bps: 5000 }] },
    });
  });

  it('file: a request for encryption is rejected', async () => {
    const asked = { entity: byAnn, encrypt: true };
    expect(await fault(pk.file(Buffer.from('secret'), asked))).toEqual({
      code: 'ValidationError',
      status: 422,
    });
  });
});

it('COMPAT_ROUTES=false: the unversioned routes do not exist', async () => {
  const service = await startService(ANY_ENGINE, { environment: { COMPAT_ROUTES: 'false' } });
  try {
    expect((await service.send('/entities')).status).toBe(404);
    expect((await service.send('/v1/entities')).status).toBe(200);
  } finally {
    await service.stop();
  }
});
