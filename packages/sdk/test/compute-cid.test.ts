import { createContentHasher } from '@colophon/model';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { computeCid } from '../src/index.js';

const MIB = 1_048_576;
const SIZES = [0, 1, MIB, MIB + 1, 3 * MIB + 7];

afterEach(() => vi.restoreAllMocks());

describe('computeCid', () => {
  it.each(SIZES)(
    'computes the same CID of %i bytes with the SHA-256 of Node as with the hasher in JavaScript',
    async (size) => {
      const native = vi.spyOn(process, 'getBuiltinModule');
      const bytes = Uint8Array.from({ length: size }, (_, index) => index % 251);
      const hasher = createContentHasher();
      hasher.update(bytes);
      expect(await computeCid(bytes)).toBe(hasher.finish().cid);
      expect(native).toHaveBeenCalledWith('node:crypto');
    },
  );

  it('hashes in JavaScript if no other SHA-256 is available', async () => {
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
    const cid = 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e';
    expect(await computeCid(new TextEncoder().encode('hello world'))).toBe(cid);
  });
});
