import { setTimeout as sleep } from 'node:timers/promises';
import { nodeHash } from '@colophon/model';
import { expect, it } from 'vitest';
import { createSubtreeReader, rootOf } from '../../src/transparency-log/tile-subtrees.js';

const hashOf = (leaf: number) => Buffer.alloc(32, `leaf ${leaf}`);
const leavesOf = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, place) => hashOf(from + place));

it('a subtree reader computes subtrees of several tiles, and reads each tile once for all calls', async () => {
  const read: string[] = [];
  const readSubtrees = createSubtreeReader(async (level, index) => {
    read.push(`${level}/${index}`);
    await sleep(10 - index);
    return leavesOf(index * 256, Math.min(index * 256 + 256, 600));
  });
  const asked = [
    { level: 0, index: 599 },
    { level: 2, index: 130 },
    { level: 0, index: 3 },
    { level: 7, index: 3 },
  ];
  const expected = [hashOf(599), rootOf(leavesOf(520, 524)), hashOf(3), rootOf(leavesOf(384, 512))];
  expect(await Promise.all([readSubtrees(asked), readSubtrees(asked)])).toEqual([expected, expected]);
  expect(await readSubtrees(asked)).toEqual(expected);
  expect(read.sort()).toEqual(['0/0', '0/1', '0/2']);
  expect(rootOf(leavesOf(0, 2))).toEqual(Buffer.from(nodeHash(hashOf(0), hashOf(1))));
});

it('a subtree reader rejects a subtree that the tile does not contain', async () => {
  const readSubtrees = createSubtreeReader(async () => leavesOf(0, 5));
  await expect(readSubtrees([{ level: 1, index: 2 }])).rejects.toThrow('has no hashes');
});
