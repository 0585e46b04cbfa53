import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonPost, type Service, startService } from '../support/service.js';

const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const LOWER = EVM.toLowerCase();

describe.each(['PGlite in memory', 'PostgreSQL'] as const)('wallets of entities, on %s', (engine) => {
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

  it('an EVM address is the same in any case, and stays as it was written', async () => {
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

  it('another address, and another case elsewhere, is a conflict', async () => {
    for (const entity of [
      { id: 'evm', wallet: `${LOWER.slice(0, -1)}0` },
      { id: 'other', wallet: 'Ann.eth' },
    ]) {
      const { status, error } = await create(entity);
      expect([status, error.details.fields]).toEqual([409, ['wallet']]);
    }
  });

  it('a wrong checksum is refused', async () => {
    const { status, error } = await create({ id: 'typo', wallet: EVM.replace('5aA', '5AA') });
    expect([status, error.details[0].path]).toEqual([422, 'wallet']);
    expect(error.details[0].message).toContain('EIP-55');
  });
});
