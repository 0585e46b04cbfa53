import { createCipheriv, createHash } from 'node:crypto';
import { BlackHoleBlockstore } from 'blockstore-core/black-hole';
import fc from 'fast-check';
import { type ImporterOptions, importer } from 'ipfs-unixfs-importer';
import { fixedSize } from 'ipfs-unixfs-importer/chunker';
import { balanced } from 'ipfs-unixfs-importer/layout';
import { describe, expect, it } from 'vitest';
import { type ContentHasher, createContentHasher, createHasherOfLayout } from '../src/content-hasher.js';
import { contentIdOfSha256 } from '../src/content-id.js';
import { createNobleSha256, type Sha256 } from '../src/sha256.js';

const MIB = 1_048_576;
const createNodeSha256 = () => createHash('sha256');

describe('createContentHasher', () => {
  it.each([
    ['no bytes', '', 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'],
    ['hello world', 'hello world', 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e'],
  ])('computes the same CID for %s as kubo', (_what, text, cid) => {
    expect(digestsOf([Buffer.from(text)]).cid).toBe(cid);
  });

  it.each([
    [MIB, 'chunk-v1-seed', 'bafkreiacndfy443ter6qr2tmbbdhadvxxheowwf75s6zehscklu6ezxmta'],
    [MIB + 1, 'chunk-v1-seed', 'bafybeigmix7t42i6jacydtquhet7srwvgpizfg7gjbq7627d35mjomtu64'],
  ])('computes the same CID for %i bytes of the stream %s as kubo', (sizeBytes, seed, cid) => {
    expect(digestsOf(keystream(sizeBytes, seed)).cid).toBe(cid);
  });

  it.runIf(process.env.LONG_TESTS === '1').each([
    [1024 * MIB, 'v1-2025-seed', 'bafybeihmf37wcuvtx4hpu7he5zl5qaf2ineo2lqlfrapokkm5zzw7zyhvm'],
    [1024 * MIB + 1, 'v1-2025-seed', 'bafybeibdsi225ugbkmpbdohnxioyab6jsqrmkts3twhpvfnzp77xtzpyhe'],
  ])(
    'computes the same CID for %i bytes of the stream %s as kubo, in constant memory',
    (sizeBytes, seed, cid) => {
      const hasher = createContentHasher({ createSha256: createNodeSha256 });
      const before = process.memoryUsage().heapUsed;
      for (const piece of keystream(sizeBytes, seed)) hasher.update(piece);
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * MIB);
      expect(hasher.finish().cid).toBe(cid);
    },
  );

  it('agrees with an independent importer at every chunk border, for any chunking of the input', async () => {
    const sizes = [0, 1, 2, 1023, 262_144, 262_145, MIB - 1, MIB, MIB + 1, MIB + 262_144, 2 * MIB - 1].concat(
      [2 * MIB, 2 * MIB + 1, 2.5 * MIB, 3 * MIB - 1, 3 * MIB, 3 * MIB + 1, 4 * MIB, 5 * MIB + 7, 6 * MIB + 1],
    );
    const content = Buffer.concat([...keystream(6 * MIB + 1, 'content-hasher')]);
    const cids = new Map<number, string>();
    for (const size of sizes) cids.set(size, await importedCid(content.subarray(0, size)));
    const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });

    const hashes = (size: number, fractions: number[]) => {
      const bytes = content.subarray(0, size);
      const digests = digestsOf(split(bytes, fractions));
      const sha256 = createHash('sha256').update(bytes).digest();
      expect(digests).toEqual({
        cid: cids.get(size),
        aliases: size > MIB ? [contentIdOfSha256(sha256)] : [],
        contentDigest: `sha256:${sha256.toString('hex')}`,
        sizeBytes: size,
      });
    };
    for (const size of sizes) hashes(size, []);
    fc.assert(fc.property(fc.constantFrom(...sizes), cuts, hashes), { numRuns: 40 });
  });

  it('agrees with an independent importer in trees of different heights', async () => {
    const layout = { chunkSizeBytes: 16, maxLinks: 3 };
    const content = Buffer.concat([...keystream(16 * 3 ** 4 + 17, 'tree')]);
    const sizes = Array.from({ length: 3 ** 4 + 2 }, (_, leaves) => [16 * leaves, 16 * leaves + 1]).flat();
    for (const size of sizes) {
      const bytes = content.subarray(0, size);
      const hasher = createHasherOfLayout(layout, createNodeSha256);
      hasher.update(bytes);
      const cid = await importedCid(bytes, {
        chunker: fixedSize({ chunkSize: layout.chunkSizeBytes }),
        layout: balanced({ maxChildrenPerNode: layout.maxLinks }),
      });
      expect(hasher.finish().cid, `${size} bytes`).toBe(cid);
    }
  });

  it.each([
    ['node:crypto', createNodeSha256],
    ['plain JavaScript', createNobleSha256],
  ])('computes the same digests with the hash of %s', (_name, createSha256) => {
    const pieces = [...keystream(2 * MIB + 5, 'either', 300_000)];
    expect(digestsOf(pieces, createContentHasher({ createSha256 }))).toEqual(digestsOf(pieces));
  });

  it('hashes the first chunk once, and the bytes after it twice', () => {
    expect(hashedBytes(MIB)).toBe(MIB);
    const nodeBytes = 200; // more than the size of the only node, which is above the two leaves
    // The hash of the first chunk is copied when the second one begins.
    expect(hashedBytes(MIB + 1)).toBeLessThan(MIB + 2 + nodeBytes);
    expect(hashedBytes(2 * MIB)).toBeGreaterThan(3 * MIB);
  });

  it('copies input buffers, so the caller can reuse them', () => {
    const pieces = [...keystream(3 * MIB, 'reused', 700_001)];
    const hasher = createContentHasher();
    const buffer = new Uint8Array(700_001);
    for (const piece of pieces) {
      buffer.set(piece);
      hasher.update(buffer.subarray(0, piece.length));
      buffer.fill(0);
    }
    expect(hasher.finish()).toEqual(digestsOf(pieces));
  });

  it.each([[1], [MIB + 1]])(
    'after `finish()` with %i bytes, throws for more bytes and for a second `finish()`',
    (sizeBytes) => {
      const hasher = createContentHasher();
      hasher.update(new Uint8Array(sizeBytes));
      hasher.finish();
      expect(() => hasher.update(new Uint8Array(1))).toThrow();
      expect(() => hasher.finish()).toThrow();
    },
  );
});

/** ChaCha20 keystream under the SHA-256 of a seed, nonce 0, as in kubo's tests. */
function* keystream(sizeBytes: number, seed: string, stepBytes = MIB): Generator<Buffer> {
  const key = createHash('sha256').update(seed).digest();
  const cipher = createCipheriv('chacha20', key, Buffer.alloc(16));
  for (let left = sizeBytes; left > 0; left -= stepBytes) {
    yield cipher.update(Buffer.alloc(Math.min(left, stepBytes)));
  }
}

function digestsOf(pieces: Iterable<Uint8Array>, hasher: ContentHasher = createContentHasher()) {
  for (const piece of pieces) hasher.update(piece);
  return hasher.finish();
}

async function importedCid(content: Uint8Array, options: ImporterOptions = {}): Promise<string> {
  let last = '';
  const source = [{ content: [content] }];
  const all: ImporterOptions = { ...options, profile: 'unixfs-v1-2025', wrapWithDirectory: false };
  for await (const entry of importer(source, new BlackHoleBlockstore(), all)) last = entry.cid.toString();
  return last;
}

function split(bytes: Uint8Array, fractions: number[]): Uint8Array[] {
  const ends = fractions.map((fraction) => Math.floor(fraction * bytes.length)).sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end));
}

function hashedBytes(sizeBytes: number): number {
  let total = 0;
  const counted = (hash: Sha256): Sha256 => ({
    update: (bytes) => {
      total += bytes.length;
      return hash.update(bytes);
    },
    digest: () => hash.digest(),
    copy: () => counted(hash.copy()),
  });
  const createSha256 = () => counted(createNodeSha256());
  digestsOf(keystream(sizeBytes, 'counted'), createContentHasher({ createSha256 }));
  return total;
}
