import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createFileNode } from '../src/unixfs-node.js';

describe('createFileNode', () => {
  it('encodes sizes beyond 32 bits, and writes links before data, as the dag-pb specification requires', () => {
    const part = { cidBytes: new Uint8Array(36).fill(0xcc), contentSizeBytes: 5e9, blocksSizeBytes: 5e9 + 1 };
    let block = Buffer.alloc(0);
    const node = createFileNode([part, { ...part, contentSizeBytes: 1, blocksSizeBytes: 1 }], (bytes) => {
      block = Buffer.from(bytes);
      return createHash('sha256').update(bytes).digest();
    });
    const cid = 'cc'.repeat(36);
    expect(block.toString('hex')).toBe(
      [
        `122e 0a24${cid} 1200 1881e497d012`, // link: hash, empty name, tsize 5,000,000,001
        `122a 0a24${cid} 1200 1801`, // link: hash, empty name, tsize 1
        '0a10 0802 1881e497d012 2080e497d012 2001', // data: file, its size, the sizes of its two parts
      ]
        .join('')
        .replaceAll(' ', ''),
    );
    expect(node.contentSizeBytes).toBe(5e9 + 1);
    expect(node.blocksSizeBytes).toBe(5e9 + 2 + block.length);
    expect(Buffer.from(node.cidBytes).toString('hex')).toBe(
      `01701220${createHash('sha256').update(block).digest('hex')}`,
    );
  });
});
