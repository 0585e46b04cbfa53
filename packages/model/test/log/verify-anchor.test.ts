import { describe, expect, it } from 'vitest';
import { toBase64 } from '../../src/base64.js';
import type { Anchor } from '../../src/log/anchor.js';
import {
  type AnchorFault,
  DIGEST_ANCHORED,
  ROOT_ANCHORED,
  verifyAnchor,
} from '../../src/log/verify-anchor.js';

const ROOT = new Uint8Array(32).fill(7);
const CONTRACT = `0x${'Ab'.repeat(20)}`;
const BY = `0x${'cd'.repeat(20)}`;
const ANCHOR: Anchor = {
  root: toBase64(ROOT),
  heads: { index: 0, size: 3, path: [] },
  ...{ chainId: 8453, chainName: 'base', contractAddress: CONTRACT, txHash: `0x${'0b'.repeat(32)}` },
  ...{ blockNumber: 16, logIndex: 0 },
};
const EVENT = {
  address: CONTRACT.toLowerCase(),
  topics: [ROOT_ANCHORED, `0x${'07'.repeat(32)}`, `0x${'00'.repeat(12)}${BY.slice(2)}`],
  data: `0x${'3'.padStart(64, '0')}`,
};
const ANSWERS = {
  eth_chainId: '0x2105' as unknown,
  eth_getTransactionReceipt: {
    status: '0x1',
    from: BY,
    blockHash: '0xb',
    blockNumber: '0x10',
    logs: [EVENT],
  } as unknown,
  eth_getBlockByNumber: { hash: '0xb', timestamp: '0x64' } as unknown,
  eth_blockNumber: '0x12' as unknown,
};

const verdictOf = (changes: Partial<typeof ANSWERS> = {}, anchor = ANCHOR) => {
  const answers: Record<string, unknown> = { ...ANSWERS, ...changes };
  return verifyAnchor(anchor, async (method) => answers[method]);
};
const receiptWith = (changes: object) => ({
  eth_getTransactionReceipt: { ...(ANSWERS.eth_getTransactionReceipt as object), ...changes },
});

describe('an anchor', () => {
  it('is verified if its root is on the chain, with the time of the block', async () => {
    expect(await verdictOf()).toEqual({
      ...{ verified: true, blockNumber: 16, time: '1970-01-01T00:01:40.000Z', confirmations: 3, by: BY },
    });
  });

  it('without `heads` is verified by the event `DigestAnchored`, not by `RootAnchored`', async () => {
    const { heads: _, ...alone } = ANCHOR;
    const event = { ...EVENT, topics: [DIGEST_ANCHORED, ...EVENT.topics.slice(1)], data: '0x' };
    expect(await verdictOf(receiptWith({ logs: [event] }), alone)).toMatchObject({ verified: true });
    expect(await verdictOf({}, alone)).toEqual({ verified: false, code: 'otherRoot' });
  });

  it.each<[AnchorFault, string, object]>([
    ['otherChain', 'a node of another chain', { eth_chainId: '0x1' }],
    ['unknownTransaction', 'a transaction in no block', { eth_getTransactionReceipt: null }],
    ['failedTransaction', 'a transaction that failed', receiptWith({ status: '0x0' })],
    ['otherBlock', 'a block that was replaced', { eth_getBlockByNumber: { hash: '0xc', timestamp: '0x1' } }],
    ['otherBlock', 'a block that is gone', { eth_getBlockByNumber: null }],
    ['otherRoot', 'a transaction without events', receiptWith({ logs: [] })],
    ['otherRoot', 'another root', receiptWith({ logs: [{ ...EVENT, topics: [ROOT_ANCHORED, '0x01'] }] })],
    ['otherRoot', 'another contract', receiptWith({ logs: [{ ...EVENT, address: BY }] })],
    ['otherRoot', 'another number of heads', receiptWith({ logs: [{ ...EVENT, data: '0x04' }] })],
    [
      'otherRoot',
      'another event',
      receiptWith({ logs: [{ ...EVENT, topics: [BY, ...EVENT.topics.slice(1)] }] }),
    ],
  ])('is rejected as %s: %s', async (code, _what, changes) => {
    expect(await verdictOf(changes)).toEqual({ verified: false, code });
  });

  it('is reported with the sender of the transaction, not with the address in the event', async () => {
    const event = { ...EVENT, topics: [...EVENT.topics.slice(0, 2), `0x${'11'.repeat(32)}`] };
    expect(await verdictOf(receiptWith({ logs: [event] }))).toMatchObject({ verified: true, by: BY });
  });

  it('causes an error, not a verdict, when the node returns an unexpected answer', async () => {
    await expect(verdictOf({ eth_chainId: { error: 'no' } })).rejects.toThrow();
  });
});
