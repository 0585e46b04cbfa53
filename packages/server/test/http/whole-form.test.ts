import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { receiveWhole } from '../../src/http/whole-form.js';

const CHUNKS = ['first ', 'second ', 'last'].map((text) => Buffer.from(text));
const BODY = Buffer.concat(CHUNKS);

/** A body that has arrived before anybody reads it. */
function arrived(): Readable {
  const raw = new Readable({ read() {} });
  for (const chunk of [...CHUNKS, null]) raw.push(chunk);
  return raw;
}

describe('a body that is received whole', () => {
  it('goes to the next reader when nothing is made of it, also when all of it had arrived', async () => {
    const raw = arrived();
    expect(await receiveWhole(raw, BODY.length, () => undefined)).toBeUndefined();
    const chunks: Buffer[] = [];
    for await (const chunk of raw) chunks.push(chunk);
    expect(Buffer.concat(chunks)).toEqual(BODY);
  });

  it('is read in one piece', async () => {
    expect(await receiveWhole(arrived(), BODY.length, String)).toBe(String(BODY));
  });
});
