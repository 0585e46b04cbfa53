import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthenticate } from '../../src/access/authenticate.js';
import { createKey } from '../../src/access/create-key.js';
import { type Databases, openDatabases } from '../../src/db/open-databases.js';

describe('keys of the database', () => {
  let databases: Databases;
  beforeAll(async () => {
    databases = await openDatabases({ kind: 'memory' });
  });
  afterAll(() => databases.close());

  const make = () =>
    createKey(databases.control, { projectName: 'photos', name: 'test', permission: 'write' });
  const set = (column: 'expires_at' | 'revoked_at', id: string) =>
    databases.control.query(`update control.api_key set ${column} = now() where id = $1`, [id]);

  it('open their project with their permission', async () => {
    const { key, projectId, id } = await make();
    const authenticate = await createAuthenticate(databases.control, []);
    expect(await authenticate(`Bearer ${key}`)).toEqual({ keyId: id, projectId, permission: 'write' });
    expect(await authenticate(`bearer  ${key}`)).toMatchObject({ projectId });
  });

  it.each(['expires_at', 'revoked_at'] as const)('open nothing a second after their %s', async (column) => {
    const { key, id } = await make();
    const authenticate = await createAuthenticate(databases.control, []);
    await authenticate(`Bearer ${key}`);
    await set(column, id);
    await sleep(1_100);
    await expect(authenticate(`Bearer ${key}`)).rejects.toMatchObject({ code: 'Unauthorized', status: 401 });
  });

  it('are looked up once a second however often they come', async () => {
    const { key } = await make();
    let looks = 0;
    const control = {
      ...databases.control,
      query: ((text: string, parameters?: unknown[]) => {
        looks++;
        return databases.control.query(text, parameters);
      }) as typeof databases.control.query,
    };
    const authenticate = await createAuthenticate(control, []);
    for (let count = 0; count < 50; count++) await authenticate(`Bearer ${key}`);
    expect(looks).toBeLessThan(5);
  });

  it('are not asked of the database when the text cannot be a key', async () => {
    const control = {
      ...databases.control,
      query: () => Promise.reject(new Error('asked')),
    } as typeof databases.control;
    const authenticate = await createAuthenticate(control, []);
    await expect(authenticate(`Bearer pk_live_${'x'.repeat(46)}`)).rejects.toMatchObject({
      code: 'Unauthorized',
    });
  });
});
