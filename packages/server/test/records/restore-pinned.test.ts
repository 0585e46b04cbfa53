import { expect, it } from 'vitest';
import { createHashPool } from '../../src/blobs/hashing/hash-pool.js';
import { createMemoryStore } from '../../src/blobs/memory-store.js';
import { restorePinned } from '../../src/records/pinning/restore-pinned.js';

const MIB = 2 ** 20;
const SIZE_BYTES = 9 * MIB;

it('an endless copy that a thread hashes is aborted at most 1 MiB after the recorded size', async () => {
  const hashing = createHashPool({ threads: 1 });
  let sentBytes = 0;
  async function* endless() {
    for (; sentBytes < 64 * MIB; sentBytes += MIB) yield Buffer.alloc(MIB);
  }
  const blobs = createMemoryStore(128 * MIB);
  const deps = {
    blobs,
    createHasher: hashing.createHasher,
    pinnerOf: async () => ({ read: async () => endless() }) as never,
  };
  const ref = { projectId: 'a', contentDigest: `sha256:${'00'.repeat(32)}` };
  const restored = await restorePinned(deps, { ref, sizeBytes: SIZE_BYTES, pinned: { kubo: 'cid' } });
  await hashing.close();
  expect(restored).toEqual({ isRestored: false, faults: [] });
  expect(sentBytes).toBeLessThanOrEqual(SIZE_BYTES + MIB);
  expect(await blobs.readSize(ref)).toBeUndefined();
});
