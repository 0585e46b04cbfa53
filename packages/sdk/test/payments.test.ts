import { readdirSync, readFileSync } from 'node:fs';
import {
  type Address,
  createPublicClient,
  createWalletClient,
  decodeFunctionData,
  http,
  parseAbi,
} from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChain, type TestChain } from '../../server/test/support/chain.js';
import { KEY, type Service, startService } from '../../server/test/support/service.js';
import { ApiError, attachPayment, createClient } from '../src/index.js';
import * as payments from '../src/payments/index.js';

const { buildDirectPayment, buildFlows, buildSplitCreation, buildSplitPayout, PaymentError } = payments;

const wallet = (byte: string): Address => `0x${byte.repeat(20)}`;
const SHARES = [
  { entityId: 'ann', share: 3334, wallet: wallet('b2') },
  { entityId: 'bo', share: 3333, wallet: wallet('a1') },
  { entityId: 'cy', share: 3333, wallet: wallet('c3') },
  { entityId: 'dee', share: 0 },
];

const SOURCES = new URL('../src/', import.meta.url);
const examples = [
  'attach-payment.ts',
  ...readdirSync(new URL('payments/', SOURCES)).map((file) => `payments/${file}`),
]
  .flatMap((file) => [
    ...readFileSync(new URL(file, SOURCES), 'utf8').matchAll(/@example\n((?: \* [^@].*\n)+)/g),
  ])
  .map(([, block = '']) => block.replaceAll(/^ \* /gm, ''));

describe('the examples of payments', () => {
  it.each(examples)('state the actual result: %s', (code) => {
    const names = { ...payments, attachPayment };
    const checked = code.replaceAll(/^(.+); \/\/ => (.+)$/gm, 'check($1, $2);');
    const run = new Function(...Object.keys(names), 'check', checked);
    run(...Object.values(names), (actual: unknown, expected: unknown) => expect(actual).toEqual(expected));
  });
});

describe('a direct payment on a chain', () => {
  let chain: TestChain;
  beforeAll(async () => {
    chain = await startChain();
  });
  afterAll(() => chain.stop());

  it('pays each recipient exactly their part, in transactions that the payer signs', async () => {
    const transport = http(chain.url);
    const reader = createPublicClient({ chain: foundry, transport, pollingInterval: 50, cacheTime: 0 });
    const account = mnemonicToAccount('test test test test test test test test test test test junk', {
      addressIndex: 1,
    });
    const payer = createWalletClient({ account, chain: foundry, transport });
    const amount = 10n ** 18n + 1n;
    const calls = buildDirectPayment({ amount, shares: SHARES });
    expect(calls).toHaveLength(3); // dee has a share of 0
    for (const call of calls) {
      const receipt = await reader.waitForTransactionReceipt({ hash: await payer.sendTransaction(call) });
      expect(receipt.status).toBe('success');
    }
    const paid = await Promise.all(
      SHARES.slice(0, 3).map(async (share) => reader.getBalance({ address: share.wallet ?? wallet('00') })),
    );
    expect(paid.reduce((sum, part) => sum + part, 0n)).toBe(amount);
    expect(paid[0]).toBeGreaterThan(paid[1] ?? 0n);
    expect(paid[1]).toBe(paid[2]);
  });
});

describe('payments', () => {
  it('are not built for the zero address or for a flow rate above the limit of one stream', () => {
    const share = { entityId: 'ann', share: 1, wallet: wallet('00') };
    expect(() => buildDirectPayment({ amount: 1n, shares: [share] })).toThrow(
      expect.objectContaining({ name: 'PaymentError', code: 'InvalidAddress' }),
    );
    const twice = ['ann', 'bo'].map((entityId) => ({ entityId, share: 1, wallet: wallet('a1') }));
    const flows = { token: wallet('ee'), totalFlowRate: 2n ** 95n, shares: twice };
    expect(() => buildFlows(flows)).toThrow(expect.objectContaining({ code: 'InvalidAmount' }));
  });

  it('with a total flow rate of 0 have a call for each share, also for the smallest one', () => {
    const shares = [
      { entityId: 'ann', share: Number.MAX_SAFE_INTEGER, wallet: wallet('a1') },
      { entityId: 'bo', share: Number.MAX_SAFE_INTEGER, wallet: wallet('b2') },
      { entityId: 'cy', share: 1, wallet: wallet('c3') },
    ];
    expect(buildFlows({ token: wallet('ee'), totalFlowRate: 0n, shares })).toHaveLength(3);
  });

  it('cannot be attached to an action if their shares are not integers that sum to 10,000', () => {
    for (const share of [1, 10_001, 0.5])
      expect(() => attachPayment({}, { shares: [{ entityId: 'ann', share }] })).toThrow(
        expect.objectContaining({ name: 'PaymentError', code: 'InvalidRecord' }),
      );
  });

  it('in a token become calls of the transfer function of its contract, with a value of 0', () => {
    const [call] = buildDirectPayment({ amount: 3n, shares: SHARES.slice(0, 1), token: wallet('ee') });
    const abi = parseAbi(['function transfer(address to, uint256 amount)']);
    expect(call).toMatchObject({ to: wallet('ee'), value: 0n });
    const { args } = decodeFunctionData({ abi, data: call?.data ?? '0x' });
    expect(args.map(String)).toEqual([expect.stringMatching(/^0xb2/i), '3']);
  });

  it('by a split contract have each wallet once, in ascending order, and parts that sum to 1,000,000', () => {
    const abi = parseAbi(['function createSplit(address[] a, uint32[] p, uint32 fee, address c)']);
    const twice = [...SHARES, { entityId: 'ann again', share: 100, wallet: wallet('b2') }];
    const { args } = decodeFunctionData({ abi, data: buildSplitCreation({ shares: twice }).data });
    expect(args[0].map((account) => account.slice(0, 4).toLowerCase())).toEqual(['0xa1', '0xb2', '0xc3']);
    expect(args[1].reduce((sum, part) => sum + part, 0)).toBe(1_000_000);
    const payout = buildSplitPayout({ split: wallet('dd'), shares: twice, token: wallet('ee') });
    expect(payout.data).not.toBe(buildSplitPayout({ split: wallet('dd'), shares: twice }).data);
  });

  it('by streams have flow rates that sum to the total flow rate, and that are 0 if it is 0', () => {
    const abi = parseAbi(['function setFlowrate(address token, address receiver, int96 flowrate)']);
    const ratesOf = (totalFlowRate: bigint) =>
      buildFlows({ token: wallet('ee'), totalFlowRate, shares: SHARES }).map(
        ({ data }) => decodeFunctionData({ abi, data }).args[2],
      );
    expect(ratesOf(100n)).toEqual([34n, 33n, 33n]);
    expect(ratesOf(0n)).toEqual([0n, 0n, 0n]);
    expect(() => ratesOf(2n ** 98n)).toThrow(PaymentError);
  });

  it('are not built if a recipient cannot be paid', () => {
    const pay = (share: object) => () =>
      buildDirectPayment({ amount: 5n, shares: [{ entityId: 'x', share: 1, ...share }] });
    expect(pay({})).toThrow(expect.objectContaining({ code: 'MissingWallet', entityIds: ['x'] }));
    expect(pay({ wallet: 'x' })).toThrow(expect.objectContaining({ code: 'InvalidAddress' }));
    expect(() => buildSplitCreation({ shares: SHARES.slice(0, 1) })).toThrow(
      expect.objectContaining({ code: 'TooFewRecipients' }),
    );
  });
});

describe('a payment on an action', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService('PostgreSQL');
  });
  afterAll(() => service.stop());

  it('is recorded if its recipients exist and have wallets; otherwise the error lists wrong recipients', async () => {
    const client = createClient({ url: service.base, apiKey: KEY });
    await client.entities.create({ id: 'ann', role: 'human', wallet: wallet('a1') });
    await client.entities.create({ id: 'bo', role: 'human' });
    const pay = (shares: { entityId: string; share: number }[]) =>
      attachPayment({}, { shares, method: 'direct', currency: 'ETH', chainId: 1 });
    const one = [{ entityId: 'ann', share: 10_000 }];
    const { action } = await client.actions.record({ performedBy: 'ann', extensions: pay(one) });
    expect(action.extensions['ext:payment@1.0.0']).toMatchObject({ recipients: one, chainId: 1 });

    const three = ['ann', 'bo', 'nobody'].map((entityId, index) => ({
      entityId,
      share: 3333 + Number(index === 0),
    }));
    const place = 'extensions.ext:payment@1.0.0.recipients';
    const details = [
      { path: `${place}.1.entityId`, message: 'bo has no wallet' },
      { path: `${place}.2.entityId`, message: 'There is no entity nobody in this project' },
    ];
    const refusal = client.actions.record({ performedBy: 'ann', extensions: pay(three) });
    await expect(refusal).rejects.toMatchObject({ code: 'ValidationError', status: 422, details });
    await expect(refusal).rejects.toBeInstanceOf(ApiError);

    const cy = { id: 'cy', role: 'human', wallet: wallet('c3') };
    const own = { extensions: pay([{ entityId: 'cy', share: 10_000 }]) };
    await client.file(new TextEncoder().encode('paid'), { entity: cy, action: own });
    const others = { extensions: pay([{ entityId: 'bo', share: 10_000 }]) };
    const file = client.file(new TextEncoder().encode('unpaid'), { entity: cy, action: others });
    await expect(file).rejects.toMatchObject({ details: [{ path: `action.${place}.0.entityId` }] });
    expect((await client.verify(new TextEncoder().encode('unpaid'))).verified).toBe(false);
  });
});
