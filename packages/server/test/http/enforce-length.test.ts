import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { enforceLength } from '../../src/http/wire/enforce-length.js';

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

async function read(stream: Readable): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('content of announced length', () => {
  it('passes unchanged', async () => {
    expect(await read(enforceLength(pieces('one', '', 'two'), 6))).toBe('onetwo');
    expect(await read(enforceLength(pieces(), 0))).toBe('');
  });

  it.each([
    ['fewer', 7],
    ['more', 5],
  ])('fails if the store has %s bytes', async (_, announced) => {
    await expect(read(enforceLength(pieces('one', 'two'), announced))).rejects.toMatchObject({
      code: 'Unavailable',
    });
  });

  it('fails with the error of its source', async () => {
    const broken = new Readable({ read: () => {} });
    const passed = enforceLength(broken, 3);
    broken.destroy(new Error('the disk is gone'));
    await expect(read(passed)).rejects.toThrow('the disk is gone');
  });

  it('closes its source when the reader leaves before the first byte', async () => {
    const source = new Readable({ read() {} });
    enforceLength(source, 10).destroy();
    await expect.poll(() => source.destroyed).toBe(true);
  });
});
