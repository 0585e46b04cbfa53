import { parseTrustedLog, type Receipt, type TrustedLog, verifyReceipt } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createNamedProjectKey } from '../../src/access/create-key.js';
import { createVerifySignature } from '../../src/access/ed25519.js';
import { findInDatabases } from '../support/find-in-database.js';
import { intercept } from '../support/intercept.js';
import { ANY_ENGINE, jsonPost, type Service, startService, toForm } from '../support/service.js';

const verify = createVerifySignature();
const WORDS = [
  'Annabel Quillfeather',
  '0xA11ABE1000000000000000000000000000000001',
  'annabel@quill.example',
  'a heron at dawn',
  'be a marsh painter',
  'a second heron',
  'painted for her mother',
  'told by her brother',
];
const [NAME, WALLET, MAIL, PROMPT, SYSTEM_PROMPT, OTHER_PROMPT, NOTE, OTHER_NOTE] = WORDS as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];

describe('erasing personal data', () => {
  let service: Service;
  let trusted: TrustedLog;
  let cid: string;
  let actionIds: string[];
  let attributionId: string;
  let derivedId: string;
  let earlier: Receipt[];

  const json = async (path: string) => (await service.send(path)).json();
  const erase = (id: string) =>
    service.send(`/v1/entity/${encodeURIComponent(id)}/personal-data`, { method: 'DELETE' });
  const places = () => [
    '/v1/entity/a~1%2Fb/receipt',
    `/v1/entity/${encodeURIComponent(derivedId)}/receipt`,
    ...actionIds.map((id) => `/v1/action/${id}/receipt`),
    `/v1/attribution/${attributionId}/receipt`,
  ];
  const ai = { provider: 'Acme', model: 'm', prompt: PROMPT };
  const act = {
    id: '0198c0de-0000-7000-8000-00000000aaaa',
    performedBy: 'a~1/b',
    extensions: {
      'ext:ai@1.0.0': ai,
      'ext:note@1.0.0': { text: 'stays' },
    },
  };
  const file = {
    entity: { id: 'a~1/b', role: 'human', name: NAME },
    action: {
      id: '0198c0de-0000-7000-8000-00000000bbbb',
      extensions: { 'ext:ai@1.0.0': { tool: { provider: 'A', model: 'm', systemPrompt: SYSTEM_PROMPT } } },
    },
    attribution: { note: NOTE },
  };

  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    const ann = {
      ...{ id: 'a~1/b', role: 'human', name: NAME, wallet: WALLET },
      ...{ metadata: { mail: MAIL, age: 4.5 }, extensions: { 'ext:note@1.0.0': { text: 'stays' } } },
    };
    const keyed = (key: string) => ({ 'idempotency-key': key });
    await service.send('/v1/entity', jsonPost(ann, keyed('entity')));
    const one = await service.send('/v1/action', jsonPost(act, keyed('action')));
    const two = await service.upload('bytes', file, keyed('file'));
    cid = (await two.clone().json()).cid;
    actionIds = [(await one.json()).actionId, (await two.json()).actionId];
    const noted = { entityId: 'a~1/b', resourceCid: cid, role: 'contributor', note: OTHER_NOTE };
    attributionId = (await (await service.send('/v1/attribution', jsonPost(noted, keyed('note')))).json()).id;
    derivedId = (await (await service.send('/v1/entity', jsonPost({ role: 'human', name: NAME }))).json()).id;
    const painted = {
      performedBy: derivedId,
      extensions: { 'ext:ai@1.0.0': { ...ai, prompt: OTHER_PROMPT } },
    };
    actionIds.push((await (await service.send('/v1/action', jsonPost(painted))).json()).actionId);
    await service.send('/v1/entity', jsonPost({ id: 'bo', role: 'human', name: 'Bo Bystander' }));
    trusted = parseTrustedLog((await json('/v1/log')).verifierKey) as TrustedLog;
    earlier = await Promise.all(places().map(json));
  }, 60_000);
  afterAll(() => service.stop());

  it('begins with a database that contains each personal word', async () => {
    for (const word of WORDS)
      expect(await findInDatabases(service.context.databases, word), word).not.toEqual([]);
  });

  it('reports the time of the erasure, and the number of erased records of each kind', async () => {
    const answer = await erase('a~1/b');
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        entityId: 'a~1/b',
        erasedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        erased: { entities: 1, actions: 2, attributions: 2 },
      },
    ]);
    expect((await erase(derivedId)).status).toBe(200);
  });

  it('removes the personal words from the whole database, and leaves the words of others', async () => {
    for (const word of WORDS)
      expect(await findInDatabases(service.context.databases, word), word).toEqual([]);
    expect(await findInDatabases(service.context.databases, 'Bo Bystander')).not.toEqual([]);
  });

  it('shows the erasure and its time in the bundle, the lists and the records', async () => {
    const { erasedAt } = await (await erase('a~1/b')).json();
    const bundle = await json(`/v1/bundle/${cid}`);
    const entity = {
      ...{ id: 'a~1/b', role: 'human', createdAt: expect.any(String) },
      extensions: { 'ext:note@1.0.0': { text: 'stays' } },
      erasure: { at: erasedAt, fields: ['/metadata', '/name', '/wallet'] },
    };
    expect(bundle.entities).toEqual([entity]);
    expect(await json('/v1/entity/a~1%2Fb')).toEqual(entity);
    expect((await json('/v1/entities')).entities).toContainEqual(entity);
    const [action] = bundle.actions;
    expect(action.extensions).toEqual({ 'ext:ai@1.0.0': { tool: { provider: 'A', model: 'm' } } });
    expect(action.erasure.fields).toEqual(['/extensions/ext:ai@1.0.0/tool/systemPrompt']);
    expect(bundle.attributions.map(({ erasure }: { erasure: unknown }) => erasure)).toEqual(
      Array(2).fill({ at: expect.any(String), fields: ['/note'] }),
    );
    expect((await json(`/v1/action/${act.id}`)).extensions).toEqual({
      'ext:ai@1.0.0': { provider: 'Acme', model: 'm' },
      'ext:note@1.0.0': { text: 'stays' },
    });
    expect((await json('/v1/entity/bo')).name).toBe('Bo Bystander');
  });

  it('breaks no proof: earlier and new receipts verify, with the same digests', async () => {
    for (const [index, place] of places().entries()) {
      const receipt = (await json(place)) as Receipt;
      expect(verifyReceipt(receipt, trusted, verify), place).toMatchObject({ verified: true });
      expect(receipt.record.salts).toEqual({});
      expect(receipt.record.digest).toBe(earlier[index]?.record.digest);
      expect(verifyReceipt(earlier[index], trusted, verify), place).toMatchObject({ verified: true });
    }
  });

  it('requires a key with the permission admin', async () => {
    const { control } = service.context.databases;
    const options = { projectName: 'one', name: 'writer', permission: 'write' } as const;
    const authorization = `Bearer ${(await createNamedProjectKey(control, options)).key}`;
    const place = '/v1/entity/bo/personal-data';
    const answer = await service.send(place, { method: 'DELETE', headers: { authorization } });
    expect([answer.status, (await json('/v1/entity/bo')).name]).toEqual([403, 'Bo Bystander']);
  });

  it('can be repeated, and then erases later records', async () => {
    const first = await (await erase('a~1/b')).json();
    expect(first.erased).toEqual({ entities: 0, actions: 0, attributions: 0 });
    const later = { performedBy: 'a~1/b', extensions: { 'ext:ai@1.0.0': ai } };
    expect((await service.send('/v1/action', jsonPost(later))).status).toBe(201);
    expect(await findInDatabases(service.context.databases, PROMPT)).not.toEqual([]);
    const again = await (await erase('a~1/b')).json();
    expect(again).toEqual({ ...first, erased: { entities: 0, actions: 1, attributions: 0 } });
    expect(await findInDatabases(service.context.databases, PROMPT)).toEqual([]);
  });

  it.each([
    ['POST /v1/entity with a name', '/v1/entity', { id: 'a~1/b', role: 'human', name: NAME }],
    ['POST /v1/entity with a wallet', '/v1/entity', { id: 'a~1/b', role: 'human', wallet: WALLET }],
    ['POST /v1/entity with a name from which the id derives', '/v1/entity', { role: 'human', name: NAME }],
    ['a replay of an action of the entity', '/v1/action', act],
  ])('is not undone by %s: 409 with the reason', async (_what, path, body) => {
    const answer = await service.send(path, jsonPost(body));
    const { error } = await answer.json();
    expect([answer.status, error.code, error.message]).toEqual([
      409,
      'Conflict',
      expect.stringMatching(/^The personal data of entity .* was erased\.$/),
    ]);
    expect(error.details).toEqual({ entityId: expect.any(String), erasedAt: expect.any(String) });
    expect(await findInDatabases(service.context.databases, NAME)).toEqual([]);
  });

  it('is not undone by PATCH, a file recording or a repeated request', async () => {
    const patch = { ...jsonPost({ name: NAME }), method: 'PATCH' };
    const repeated = { 'idempotency-key': 'entity' };
    const ann = { id: 'a~1/b', role: 'human', name: NAME };
    const answers = [
      await service.send('/v1/entity/a~1%2Fb', patch),
      await service.upload('other bytes', { entity: ann }),
      await service.upload('other bytes', { entity: { role: 'human', name: NAME } }),
      await service.upload('bytes', file),
      await service.upload('bytes', file, { 'idempotency-key': 'file' }),
      await service.send('/v1/entity', jsonPost(ann, repeated)),
      await service.send('/v1/entity', jsonPost({ ...ann, name: 'Another' }, repeated)),
    ];
    expect(answers.map(({ status }) => status)).toEqual(Array(answers.length).fill(409));
    expect(await findInDatabases(service.context.databases, NAME)).toEqual([]);
  });

  it('allows the entity to be named by its id, and to act', async () => {
    const found = await service.send('/v1/entity', jsonPost({ id: 'a~1/b', role: 'human' }));
    expect([found.status, (await found.json()).entity.erasure.fields]).toEqual([
      200,
      ['/metadata', '/name', '/wallet'],
    ]);
    const form = toForm('more bytes', { entity: { id: derivedId, role: 'human' } });
    expect((await service.send('/v1/activity', { method: 'POST', body: form })).status).toBe(201);
  });

  it('erases all of many records, and no concurrent change undoes it', async () => {
    await service.send('/v1/entity', jsonPost({ id: 'busy', role: 'ai', name: 'Bertram Busybody' }));
    const prompt = 'the same prompt over again';
    const large = { provider: 'A', model: 'm', prompt: `${prompt}${'.'.repeat(40_000)}` };
    const record = () =>
      service.send('/v1/action', jsonPost({ performedBy: 'busy', extensions: { 'ext:ai@1.0.0': large } }));
    for (let round = 0; round < 6; round++) await Promise.all(Array.from({ length: 30 }, record));
    const change = (n: number) =>
      service.send('/v1/entity/busy', { ...jsonPost({ name: `Bertram Busybody ${n}` }), method: 'PATCH' });
    const run = vi.spyOn(service.context.records.scheduler, 'run');
    const [answer, ...changes] = await Promise.all([
      erase('busy'),
      ...Array.from({ length: 20 }, (_, n) => change(n)),
    ]);
    expect((await (answer as Response).json()).erased).toEqual({
      entities: 1,
      actions: 180,
      attributions: 0,
    });
    for (const { status } of changes) expect([200, 409]).toContain(status);
    // 7.2 MB in steps of 0.5 MB.
    expect(run.mock.calls.filter(([{ kind }]) => kind === 'bulk').length).toBeGreaterThanOrEqual(13);
    run.mockRestore();
    for (const word of ['Bertram', prompt])
      expect(await findInDatabases(service.context.databases, word), word).toEqual([]);
    const receipt = await json('/v1/entity/busy/receipt');
    expect(verifyReceipt(receipt, trusted, verify)).toMatchObject({ verified: true });
  }, 60_000);

  it('deletes a response that a repeated request stores while the erasure runs', async () => {
    const { provenance } = service.context.databases;
    const drawing = {
      id: '0198c0de-0000-7000-8000-00000000cccc',
      performedBy: 'di',
      extensions: { 'ext:ai@1.0.0': { ...ai, prompt: 'a kingfisher in flight' } },
    };
    await service.send('/v1/entity', jsonPost({ id: 'di', role: 'human', name: 'Dinah' }));
    await service.send('/v1/action', jsonPost(drawing));
    const repeat = async (key: string) =>
      (await service.send('/v1/action', jsonPost(drawing, { 'idempotency-key': key }))).status;
    const statuses: number[] = [];
    // Repeats the request before the first step of the actions, and before the first step of the responses.
    const steps = ['from provenance.action r', 'provenance.erase_answers'];
    const seen = intercept(provenance, new RegExp(steps.join('|')), async (run) => {
      if (seen.at(-1)?.includes(steps[0] ?? '-')) {
        steps.shift();
        statuses.push(await repeat(`left-${steps.length}`));
      }
      return run();
    });
    expect((await erase('di')).status).toBe(200);
    vi.restoreAllMocks();
    expect(statuses).toEqual([200, 409]);
    expect(await findInDatabases(service.context.databases, 'a kingfisher in flight')).toEqual([]);
  });

  it('lists records that differ from their recording, keeps them, and erases all others', async () => {
    const { provenance } = service.context.databases;
    const prompt = (text: string) => ({
      performedBy: 'cy',
      extensions: { 'ext:ai@1.0.0': { provider: 'A', model: 'm', prompt: text } },
    });
    await service.send('/v1/entity', jsonPost({ id: 'cy', role: 'human', name: 'Cyprian Salter' }));
    const post = async (body: object) =>
      (await (await service.send('/v1/action', jsonPost(body))).json()).actionId;
    const [whole, broken] = [await post(prompt('a whole record')), await post(prompt('a broken one'))];
    const setSalts = (table: string, id: string, salts: string) =>
      provenance.query(`update provenance.${table} set salts = ${salts} where id::text = $1`, [id]);
    const spoiled = `jsonb_build_object('was', salts, '/name', 'x', '/extensions/ext:ai@1.0.0/prompt', '!')`;
    await setSalts('entity', 'cy', spoiled);
    const refused = await erase('cy');
    const { error } = await refused.json();
    expect([refused.status, error.code, error.details]).toEqual([
      409,
      'Conflict',
      { records: [{ kind: 'entity', id: 'cy' }] },
    ]);
    expect((await json('/v1/entity/cy')).name).toBe('Cyprian Salter');

    await setSalts('entity', 'cy', `salts->'was'`);
    await setSalts('action', broken, spoiled);
    const second = await (await erase('cy')).json();
    expect(second.error.details).toEqual({ records: [{ kind: 'action', id: broken }] });
    for (const word of ['Cyprian', 'a whole record'])
      expect(await findInDatabases(service.context.databases, word), word).toEqual([]);
    expect(verifyReceipt(await json(`/v1/action/${whole}/receipt`), trusted, verify).verified).toBe(true);

    await setSalts('action', broken, `salts->'was'`);
    expect((await (await erase('cy')).json()).erased).toEqual({ entities: 0, actions: 1, attributions: 0 });
    expect(await findInDatabases(service.context.databases, 'a broken one')).toEqual([]);
  });
});
