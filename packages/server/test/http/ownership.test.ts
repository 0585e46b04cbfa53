import { actionIntentText, fullActionText } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNamedProjectKey } from '../../src/access/create-key.js';
import { createSigner } from '../../src/access/ed25519.js';
import { jsonPost, oneOrAll, RECORD_ENGINES, type Service, startService } from '../support/service.js';

const TRANSFER = 'ext:ownership:transfer@1.0.0';
const ann = createSigner('11'.repeat(32));
const mallory = createSigner('66'.repeat(32));
let files = 0;

const ROWS = oneOrAll(RECORD_ENGINES);

describe.each(ROWS)('ownership on %s', (engine) => {
  let service: Service;
  let writerKey: string;
  beforeAll(async () => {
    service = await startService(engine);
    const writer = { projectName: 'one', name: 'writer', permission: 'write' } as const;
    writerKey = (await createNamedProjectKey(service.context.databases.control, writer)).key;
    for (const [id, publicKey] of [
      ['ann', ann.publicKeyHex],
      ['bo'],
      ['mallory', mallory.publicKeyHex],
    ] as const) {
      await service.send('/v1/entity', jsonPost({ id, role: 'human', ...(publicKey && { publicKey }) }));
    }
  });
  afterAll(() => service.stop());

  const record = async (json: object = { entity: { id: 'ann', role: 'human' } }): Promise<string> =>
    (await (await service.upload(`content ${++files}`, json)).json()).cid;
  const read = async (cid: string) => (await service.send(`/v1/resource/${cid}/ownership`)).json();
  const post = async (cid: string, what: string, body: object, headers: Record<string, string> = {}) => {
    const asWriter = { authorization: `Bearer ${writerKey}` };
    const request = jsonPost(body, { ...asWriter, ...headers });
    const answer = await service.send(`/v1/resource/${cid}/ownership/${what}`, request);
    return { status: answer.status, body: await answer.json() };
  };
  const sign = (signer: typeof ann, cid: string, said: { from?: string; to?: string } = {}) => {
    const { from = 'ann', to = 'bo' } = said;
    const timestamp = new Date().toISOString();
    const text = fullActionText({
      actionType: TRANSFER,
      entityId: from,
      inputs: [cid],
      outputs: [to],
      timestamp,
    });
    return {
      ...{ toEntityId: 'bo', transferType: 'voluntary' },
      proof: {
        algorithm: 'Ed25519',
        publicKey: signer.publicKeyHex,
        signature: signer.sign(text),
        timestamp,
      },
    };
  };

  it('the creator of content owns it, and content with an unknown creator has no owner', async () => {
    const cid = await record();
    expect(await read(cid)).toMatchObject({
      registrant: { id: 'ann' },
      currentOwner: { id: 'ann' },
      neverTransferred: true,
      lastTransfer: null,
      history: [],
      complete: true,
    });
    const found = await record({ entity: { id: 'ann', role: 'human' }, action: { type: 'reference' } });
    expect(await read(found)).toMatchObject({ registrant: null, currentOwner: null });
  });

  it('a claim is recorded and does not change the owner', async () => {
    const cid = await record();
    const said = { entityId: 'bo', evidenceType: 'legal-document', evidenceRef: 'file 7', note: 'mine' };
    const { status, body } = await post(cid, 'claim', said);
    expect([status, body]).toMatchObject([
      201,
      {
        action: {
          type: 'ext:ownership:claim@1.0.0',
          performedBy: 'bo',
          inputCids: [cid],
          extensions: { 'ext:ownership:claim@1.0.0': { targetRef: cid, evidenceRef: 'file 7' } },
        },
        attribution: { entityId: 'bo', resourceCid: cid, role: 'ext:ownership:claimant@1.0.0' },
      },
    ]);
    expect(await read(cid)).toMatchObject({
      currentOwner: { id: 'ann' },
      neverTransferred: true,
      history: [{ id: body.action.id }],
    });
  });

  it('the owner’s signature transfers content, and its resource, bundle and receipt show the transfer', async () => {
    const cid = await record();
    const { status, body } = await post(cid, 'transfer', sign(ann, cid));
    expect([status, body]).toMatchObject([
      201,
      {
        action: {
          type: TRANSFER,
          performedBy: 'ann',
          extensions: {
            [TRANSFER]: { fromEntityId: 'ann', toEntityId: 'bo', transferType: 'voluntary' },
            'ext:authorization@1.0.0': { status: 'authorized', authorizedBy: 'ann' },
          },
        },
        attribution: { entityId: 'bo', resourceCid: cid, role: 'ext:ownership:owner@1.0.0' },
      },
    ]);
    expect(await read(cid)).toMatchObject({
      registrant: { id: 'ann' },
      currentOwner: { id: 'bo' },
      neverTransferred: false,
      lastTransfer: { id: body.action.id },
    });
    const resource = await (await service.send(`/v1/resource/${cid}`)).json();
    expect(resource).toMatchObject({ createdBy: 'ann', owner: 'bo' });
    const bundle = await (await service.send(`/v1/bundle/${cid}`)).json();
    expect(bundle.complete).toBe(true);
    expect(bundle.actions.map(({ type }: { type: string }) => type)).toEqual(['create', TRANSFER]);
    expect(bundle.entities.map(({ id }: { id: string }) => id).toSorted()).toEqual(['ann', 'bo']);
    const shares = await (await service.send(`/v1/distribution/${cid}`)).json();
    expect(shares.shares).toMatchObject([{ entityId: 'ann', share: 10000 }]);
    expect((await service.send(`/v1/action/${body.action.id}/receipt`)).status).toBe(200);
  });

  it.each([
    ['no proof', (cid: string) => ({ ...sign(ann, cid), proof: undefined })],
    ['the key of another entity', (cid: string) => sign(mallory, cid)],
    [
      'the name of an entity that is not the owner',
      (cid: string) => ({ ...sign(mallory, cid, { from: 'mallory' }), performedBy: 'mallory' }),
    ],
    ['a signature for another recipient', (cid: string) => sign(ann, cid, { to: 'mallory' })],
    ['a signature for other content', () => sign(ann, `sha256:${'1'.repeat(64)}`)],
  ])('403: a write key cannot transfer with %s', async (_, toBody) => {
    const cid = await record();
    expect(await post(cid, 'transfer', toBody(cid))).toMatchObject({
      status: 403,
      body: { error: { code: 'Forbidden' } },
    });
    expect(await read(cid)).toMatchObject({ currentOwner: { id: 'ann' }, history: [] });
  });

  it('403: a signature over the intent only, which names no recipient', async () => {
    const cid = await record();
    const timestamp = new Date().toISOString();
    const text = `{"actionType":"${TRANSFER}","entityId":"ann","inputs":["${cid}"],"timestamp":"${timestamp}"}`;
    const proof = { ...sign(ann, cid).proof, signature: ann.sign(text), timestamp };
    const { status, body } = await post(cid, 'transfer', { ...sign(ann, cid), proof });
    expect(status).toBe(403);
    expect(body.error.details.signedText).toContain('"outputs":["bo"]');
  });

  it('409: a signature can be used only once', async () => {
    const cid = await record();
    const signed = sign(ann, cid);
    expect((await post(cid, 'transfer', signed)).status).toBe(201);
    const asAdmin = { headers: { 'content-type': 'application/json' } };
    const back = { ...asAdmin, method: 'POST', body: '{"toEntityId":"ann","transferType":"adjudicated"}' };
    expect((await service.send(`/v1/resource/${cid}/ownership/transfer`, back)).status).toBe(201);
    const again = await post(cid, 'transfer', signed);
    expect([again.status, again.body.error.code]).toEqual([409, 'Conflict']);
    expect(await read(cid)).toMatchObject({ currentOwner: { id: 'ann' }, history: [{}, {}] });
  });

  it('409: the signature of a claim or transfer, copied from the history by another caller', async () => {
    const cid = await record();
    const timestamp = new Date().toISOString();
    const type = 'ext:ownership:claim@1.0.0';
    const text = actionIntentText({ actionType: type, entityId: 'ann', inputs: [cid], timestamp });
    const { proof } = sign(ann, cid);
    const claimed = { ...proof, signature: ann.sign(text), timestamp };
    const said = { entityId: 'ann', evidenceType: 'self-declaration', proof: claimed };
    expect((await post(cid, 'claim', said)).status).toBe(201);
    expect((await post(cid, 'transfer', { ...sign(ann, cid), proof })).status).toBe(201);
    expect((await post(cid, 'claim', { ...said, note: 'again' })).status).toBe(409);
    for (const [of, copied] of [
      [type, claimed],
      [TRANSFER, proof],
    ]) {
      const action = { type: of, performedBy: 'ann', inputCids: [cid], proof: copied };
      expect((await service.send('/v1/action', jsonPost(action))).status).toBe(409);
    }
    expect((await read(cid)).history).toHaveLength(2);
  });

  it('an admin key transfers content without an owner, and needs no proof', async () => {
    const found = await record({ entity: { id: 'ann', role: 'human' }, action: { type: 'reference' } });
    const said = { toEntityId: 'bo', transferType: 'adjudicated', authorizationRef: 'court 7' };
    const asAdmin = (body: object) =>
      service.send(`/v1/resource/${found}/ownership/transfer`, jsonPost(body));
    expect((await asAdmin(said)).status).toBe(422);
    const answer = await asAdmin({ ...said, performedBy: 'mallory' });
    expect([answer.status, (await answer.json()).action.performedBy]).toEqual([201, 'mallory']);
    expect(await read(found)).toMatchObject({ registrant: null, currentOwner: { id: 'bo' } });
  });

  it('404: a request with an unknown content, recipient or claimant records nothing', async () => {
    const cid = await record();
    const nothing = `sha256:${'0'.repeat(64)}`;
    expect((await service.send(`/v1/resource/${nothing}/ownership`)).status).toBe(404);
    expect((await post(nothing, 'transfer', sign(ann, nothing))).status).toBe(404);
    expect((await post(nothing, 'claim', { entityId: 'bo', evidenceType: 'signed-content' })).status).toBe(
      404,
    );
    expect((await post(cid, 'claim', { entityId: 'none', evidenceType: 'signed-content' })).status).toBe(404);
    const toNobody = { ...sign(ann, cid, { to: 'none' }), toEntityId: 'none' };
    expect((await post(cid, 'transfer', toNobody)).status).toBe(404);
    expect(await read(cid)).toMatchObject({ neverTransferred: true, history: [] });
  });

  it('exactly one of eight concurrent transfers succeeds', async () => {
    const cid = await record();
    const all = await Promise.all(Array.from({ length: 8 }, () => post(cid, 'transfer', sign(ann, cid))));
    const statuses = all.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.every((status) => [201, 403, 409].includes(status))).toBe(true);
    expect((await read(cid)).history).toHaveLength(1);
  });

  it('a repetition with its Idempotency-Key gets the first answer', async () => {
    const cid = await record();
    const signed = sign(ann, cid);
    const first = await post(cid, 'transfer', signed, { 'idempotency-key': 'one' });
    expect(await post(cid, 'transfer', signed, { 'idempotency-key': 'one' })).toEqual(first);
    expect((await read(cid)).history).toHaveLength(1);
  });

  it('stays with content when a later upload adds its CID', async () => {
    const content = `content that comes later ${engine}`;
    const named = `sha256:${Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(content))).toString('hex')}`;
    await service.send('/v1/action', jsonPost({ performedBy: 'ann', outputCids: [named] }));
    const moved = await post(named, 'transfer', sign(ann, named));
    expect(moved.status).toBe(201);
    const { cid } = await (
      await service.upload(content, { entity: { id: 'mallory', role: 'human' } })
    ).json();
    expect(await read(cid)).toMatchObject({
      currentOwner: { id: 'bo' },
      history: [{ id: moved.body.action.id }],
    });
  });
});
