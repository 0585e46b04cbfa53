import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import * as z from 'zod';
import { nameField } from './records/json-fields.js';

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const EXPECTED_ADDRESS = 'Expected an EVM address: 0x and 40 hex digits';
const WRONG_CHECKSUM =
  'The case of the letters does not match the EIP-55 checksum. Check the address for a typing error, or send it in lower case';

/**
 * Whether two wallets are the same. For EVM addresses (0x and 40 hex digits), the case of the letters does not matter,
 * since it is only a checksum (EIP-55). All other wallets must match exactly.
 *
 * @example
 * isSameWallet('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'); // => true
 * isSameWallet('ann.eth', 'Ann.eth'); // => false
 */
export function isSameWallet(one: string, other: string): boolean {
  const isEvm = EVM_ADDRESS.test(one) && EVM_ADDRESS.test(other);
  return one === other || (isEvm && one.toLowerCase() === other.toLowerCase());
}

/** The text stays unchanged. An EVM address in mixed case must match its checksum (EIP-55). */
export const walletField = nameField(256).refine(hasChecksum, WRONG_CHECKSUM);

/** The text stays unchanged. In mixed case it must match its checksum (EIP-55). */
export const evmAddressField = z
  .string()
  .regex(EVM_ADDRESS, { error: EXPECTED_ADDRESS, abort: true })
  .refine(hasChecksum, WRONG_CHECKSUM);

/** Returns false only for an EVM address in mixed case with a wrong checksum. */
function hasChecksum(text: string): boolean {
  if (!EVM_ADDRESS.test(text)) return true;
  const digits = text.slice(2);
  const lower = digits.toLowerCase();
  if (digits === lower || digits === digits.toUpperCase()) return true;
  const hash = bytesToHex(keccak_256(utf8ToBytes(lower)));
  return [...lower].every(
    (digit, index) =>
      digits[index] === (Number.parseInt(hash[index] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit),
  );
}
