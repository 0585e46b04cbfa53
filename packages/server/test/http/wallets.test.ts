import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNamedProjectKey } from '../../src/access/create-key.js';
import { createSigner } from '../../src/access/ed25519.js';
import { ENGINES, jsonPost, oneOrAll, type Service, startService } from '../support/service.js';

const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const LOWER = EVM.toLowerCase();

describe.each(oneOrAll(ENGINES))('wallets of entities, on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
    for (const [id, wallet] of [
      ['evm', EVM],
      ['other', 'ann.eth'],
    ])
      await service.send('/v1/entity', jsonPost({ id, role: 'human', wallet }));
  });
  afterAll(() => service.stop());

  const create = async (entity: object) => {
    const answer = await service.send('/v1/entity', jsonPost({ role: 'human', ...entity }));
    return { status: answer.status, ...(await answer.json()) };
  };

  it('EVM addresses are compared without regard to letter case, and are stored as written', async () => {
    for (const wallet of [LOWER, `0x${EVM.slice(2).toUpperCase()}`])
      expect(await create({ id: 'evm', wallet })).toMatchObject({ status: 200, entity: { wallet: EVM } });
    const uploaded = await service.upload('paid', { entity: { id: 'evm', role: 'human', wallet: LOWER } });
    expect(uploaded.status).toBe(201);
    const patched = await service.send('/v1/entity/evm', {
      ...jsonPost({ wallet: LOWER, name: 'Ann' }),
      method: 'PATCH',
    });
    expect([patched.status, (await patched.json()).wallet]).toEqual([200, EVM]);
  });

  it('another EVM address is a conflict, and so is another letter case in any other wallet', async () => {
    for (const entity of [
      { id: 'evm', wallet: `${LOWER.slice(0, -1)}0` },
      { id: 'other', wallet: 'Ann.eth' },
    ]) {
      const { status, error } = await create(entity);
      expect([status, error.details.fields]).toEqual([409, ['wallet']]);
    }
  });

  it('a wrong checksum is rejected', async () => {
    const { status, error } = await create({ id: 'typo', wallet: EVM.replace('5aA', '5AA') });
    expect([status, error.details[0].path]).toEqual([422, 'wallet']);
    expect(error.details[0].message).toContain('EIP-55');
  });

  const post = async (path: string, body: object, key?: string) => {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const answer = await service.send(path, jsonPost(body, headers));
    return { status: answer.status, body: await answer.json() };
  };
  const named = (name: string, more: object = {}) => post('/v1/entity', { role: 'human', name, ...more });
  const idOf = async (name: string, more: object = {}) => (await named(name, more)).body.id as string;
  const logSize = async () => (await (await service.send('/v1/log')).json()).size;

  it('a wallet added later goes to the only entity with this name, and the log gets a leaf', async () => {
    const id = await idOf('Later');
    const before = await logSize();
    const given = await named('Later', { wallet: EVM });
    expect(given).toMatchObject({ status: 200, body: { id, created: false, entity: { id, wallet: EVM } } });
    expect(await logSize()).toBe(before + 1);
    for (const more of [{}, { wallet: EVM }, { wallet: LOWER }])
      expect(await named('Later', more)).toMatchObject({ status: 200, body: given.body });
    const entity = { role: 'human', name: 'Later', wallet: LOWER };
    const uploaded = await service.upload('by Later', { entity });
    expect([uploaded.status, (await uploaded.json()).entityId]).toEqual([201, id]);
    const batch = await post('/v1/batch', { entities: [entity] });
    expect(batch.body.entities).toEqual([{ id, created: false }]);
    expect(await logSize()).toBe(before + 3);
  });

  it('the entity whose id derives from name and wallet takes precedence over an entity without a wallet', async () => {
    const wallet = '0x51';
    const derived = await idOf('Earlier', { wallet });
    const nameless = await idOf('Earlier');
    expect(nameless).not.toBe(derived);
    expect(await named('Earlier', { wallet })).toMatchObject({ status: 200, body: { id: derived } });
    expect((await (await service.send(`/v1/entity/${nameless}`)).json()).wallet).toBeUndefined();
  });

  it('another wallet for a name does not replace the stored one: 409 with the candidates', async () => {
    const id = await idOf('Paid', { wallet: '0x61' });
    const { status, body } = await named('Paid', { wallet: '0x62' });
    expect([status, body.error.code, body.error.details]).toEqual([
      409,
      'Conflict',
      { candidates: [{ id, wallet: '0x61' }] },
    ]);
    expect(await named('Paid', { id: 'paid:2', wallet: '0x62' })).toMatchObject({ status: 201 });
  });

  it('409: two entities without a wallet have the name; the error lists both, and none gets the wallet', async () => {
    for (const id of ['twin:1', 'twin:2']) await named('Twin', { id });
    const { status, body } = await named('Twin', { wallet: EVM });
    const candidates = ['twin:1', 'twin:2'].map((id) => ({ id, wallet: null }));
    expect([status, body.error.details]).toEqual([409, { candidates }]);
    expect(body.error.recovery).toContain('`id`');
    for (const id of ['twin:1', 'twin:2'])
      expect((await (await service.send(`/v1/entity/${id}`)).json()).wallet).toBeUndefined();
  });

  it('an entity that has a public key or differs from the request gets no wallet by its name', async () => {
    await named('Keyed', { id: 'keyed', publicKey: createSigner('22'.repeat(32)).publicKeyHex });
    const keyed = await named('Keyed', { wallet: EVM });
    expect([keyed.status, keyed.body.error.details]).toEqual([
      409,
      { candidates: [{ id: 'keyed', wallet: null }] },
    ]);
    await named('Differs', { id: 'differs', metadata: { a: 1 } });
    const differs = await named('Differs', { wallet: EVM, metadata: { a: 2 } });
    expect([differs.status, differs.body.error.details]).toEqual([
      409,
      { entityId: 'differs', fields: ['metadata'] },
    ]);
    expect((await (await service.send('/v1/entity/differs')).json()).wallet).toBeUndefined();
  });

  it('no entity gets a wallet by its name if more entities have this name than the service compares', async () => {
    const common = { role: 'human', name: 'Common' };
    const entities = Array.from({ length: 1_000 }, (_, place) => ({
      ...common,
      id: `common:${place}`,
      ...(place === 0 ? {} : { wallet: `another-chain-${place}` }),
    }));
    for (const some of [entities.slice(0, 500), entities.slice(500)])
      expect((await post('/v1/batch', { entities: some })).status).toBe(201);
    expect((await post('/v1/entity', { ...common, wallet: EVM })).status).toBe(409);
    expect((await (await service.send('/v1/entity/common:0')).json()).wallet).toBeUndefined();
  });

  it('the check of a batch stops after 50 new wallets for a stored name, and the error says so', async () => {
    await named('Popular', { id: 'popular', wallet: 'the-first' });
    const entities = Array.from({ length: 60 }, (_, place) => ({
      role: 'human',
      name: 'Popular',
      wallet: `a-new-one-${place}`,
    }));
    const { status, body } = await post('/v1/batch', { entities });
    expect([status, body.error.details.length]).toEqual([409, 51]);
    expect(body.error.details[49]).toMatchObject({ path: 'entities.49', code: 'Conflict' });
    expect(body.error.details[50]).toMatchObject({
      truncated: true,
      message: expect.stringContaining('`id`'),
    });
    const few = await post('/v1/batch', { entities: entities.slice(0, 50) });
    expect(few.body.error.details).toHaveLength(50);
  });

  it('uploads and batches give no stored entity a wallet: 409 with the candidate', async () => {
    const id = await idOf('Uploader');
    const entity = { role: 'human', name: 'Uploader', wallet: EVM };
    const uploaded = await service.upload('by Uploader', { entity });
    const batch = await post('/v1/batch', { entities: [entity] });
    const details = { candidates: [{ id, wallet: null }] };
    expect([uploaded.status, (await uploaded.json()).error.details]).toEqual([409, details]);
    expect([batch.status, batch.body.error.details]).toMatchObject([
      409,
      [{ path: 'entities.0', code: 'Conflict', details }],
    ]);
  });

  it('a repetition with the same Idempotency-Key gets the first answer', async () => {
    await named('Again');
    const send = () =>
      service.send(
        '/v1/entity',
        jsonPost(
          { role: 'human', name: 'Again', wallet: EVM },
          { 'idempotency-key': `again-${engine.length}` },
        ),
      );
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(await again.json()).toEqual(await first.json());
  });

  it('a key bound to another entity adds no wallet by name', async () => {
    const id = await idOf('Bound');
    const options = { projectName: 'one', name: 'of another', permission: 'write', entityId: 'evm' } as const;
    const { key } = await createNamedProjectKey(service.context.databases.control, options);
    const refused = await post('/v1/entity', { role: 'human', name: 'Bound', wallet: EVM }, key);
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'Forbidden' } } });
    expect((await (await service.send(`/v1/entity/${id}`)).json()).wallet).toBeUndefined();
  });
});
