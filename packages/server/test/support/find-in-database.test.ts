import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findInDatabases } from './find-in-database.js';
import { type Service, startService } from './service.js';

const SECRET = `a "secret" of ${randomBytes(20).toString('base64')}`;
const BYTES = Buffer.from(SECRET);
const around = (n: number) => Buffer.concat([Buffer.alloc(n, 7), BYTES, Buffer.alloc(5, 7)]);

describe('the search for a secret in the databases', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService('PGlite in memory');
    await service.context.databases.provenance.query(
      'create table provenance.hiding_place (t text, j jsonb, b bytea)',
    );
  });
  afterAll(() => service.stop());

  it.each([
    ['as plain text', 't', `before ${SECRET} after`],
    ['in JSON', 'j', JSON.stringify({ deep: [SECRET] })],
    ['as hex', 't', BYTES.toString('hex')],
    ['as hex in capitals', 't', BYTES.toString('hex').toUpperCase()],
    ['as base64', 't', around(0).toString('base64')],
    ['as base64 at an offset of one byte', 't', around(1).toString('base64')],
    ['as base64 at an offset of two bytes', 't', around(2).toString('base64url')],
    ['as bytes', 'b', around(3)],
    ['as the bytes of its base64 text', 'b', Buffer.from(around(4).toString('base64'))],
  ] as const)('finds the secret %s', async (_how, column, value) => {
    const { provenance } = service.context.databases;
    expect(await findInDatabases(service.context.databases, SECRET)).toEqual([]);
    await provenance.query(`insert into provenance.hiding_place (${column}) values ($1)`, [value]);
    const place = [`provenance.hiding_place.${column}`];
    const found = await findInDatabases(service.context.databases, SECRET);
    await provenance.query('delete from provenance.hiding_place');
    expect(found).toEqual(place);
  });
});
