import { describe, expect, it } from 'vitest';
import {
  distributeByWeight,
  entityInputSchema,
  entityPatchSchema,
  isSameWallet,
  paymentExtensionSchema,
} from '../src/index.js';

/** EIP-55. */
const CHECKSUMMED = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];
const EVM = CHECKSUMMED[0] as string;
const lower = (address: string) => address.toLowerCase();
const upper = (address: string) => `0x${address.slice(2).toUpperCase()}`;
const spoiled = (address: string) =>
  address.replace(/[a-f]/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
const accepts = (wallet: string) =>
  [entityInputSchema.safeParse({ role: 'ai', wallet }), entityPatchSchema.safeParse({ wallet })].map(
    ({ success }) => success,
  );

describe('a wallet', () => {
  it.each(CHECKSUMMED)(
    '%s is accepted unchanged with its checksum, in lower case and in upper case',
    (address) => {
      for (const wallet of [address, lower(address), upper(address)])
        expect(entityInputSchema.parse({ role: 'ai', wallet }).wallet).toBe(wallet);
    },
  );

  it.each(CHECKSUMMED)(
    '%s is rejected with a letter in the other case, and the error names EIP-55',
    (address) => {
      const { error } = entityInputSchema.safeParse({ role: 'ai', wallet: spoiled(address) });
      expect(error?.issues[0]).toMatchObject({
        path: ['wallet'],
        message: expect.stringContaining('EIP-55'),
      });
      expect(accepts(spoiled(address))).toEqual([false, false]);
    },
  );

  it.each([
    '0x01',
    '0xABcdef',
    `${EVM}0`,
    `eip155:1:${spoiled(EVM)}`,
    'DRpbCBMxVnDK7maPM5tGv6MvB3v1sRMC86PZ8okm21hy',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    'ann.eth',
  ])('of another form or chain is accepted unchanged: %s', (wallet) => {
    expect(accepts(wallet)).toEqual([true, true]);
  });

  it('is compared without regard to case if it is an EVM address, and exactly otherwise', () => {
    expect(isSameWallet(EVM, lower(EVM))).toBe(true);
    expect(isSameWallet(EVM, upper(EVM))).toBe(true);
    expect(isSameWallet('ann.eth', 'Ann.eth')).toBe(false);
    const recipients = [EVM, lower(EVM)].map((wallet) => ({ entityId: 'ann', weight: 1, wallet }));
    expect(distributeByWeight(recipients).shares).toHaveLength(1);
  });
});

describe('a recorded payment', () => {
  const faultOf = (members: object) =>
    paymentExtensionSchema.safeParse({ recipients: [], ...members }).error?.issues[0]?.message;

  it('accepts only an EVM address as split address', () => {
    for (const splitAddress of [EVM, lower(EVM)]) expect(faultOf({ splitAddress })).toBeUndefined();
    for (const splitAddress of ['0x01', 'ann.eth', `${EVM}0`, EVM.slice(2)])
      expect(faultOf({ splitAddress })).toBe('Expected an EVM address: 0x and 40 hex digits');
    expect(faultOf({ splitAddress: spoiled(EVM) })).toContain('EIP-55');
  });

  it('accepts an amount only in its canonical form', () => {
    for (const totalFlowRate of ['0', '1', '10', '9'.repeat(78)])
      expect(faultOf({ totalFlowRate })).toBeUndefined();
    for (const totalFlowRate of ['00', '01', '1.0', '-1', '+1', '', '1e3', '9'.repeat(79)])
      expect(faultOf({ totalFlowRate })).toBe(
        'Expected an integer of at most 78 digits as a string, without leading zeros',
      );
  });
});
