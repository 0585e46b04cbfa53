import { utf8ToBytes } from '@noble/hashes/utils.js';
import { fromBase64, toBase64 } from '../base64.js';
import { isJsonObject } from '../canonical-json.js';
import type { VerifySignature } from '../proofs/signature.js';
import { parseStrictJson } from '../strict-json.js';
import { parseCheckpoint, type SignedCheckpoint } from './checkpoint.js';
import { handoverDigest, handoverText, type KeyHistory, keyHistorySchema } from './key-history.js';
import { equalBytes, leafHash } from './tree-hash.js';
import { verifyInclusion } from './verify-proofs.js';
import { findSignerFault, type TrustedLog } from './verify-signer.js';

/** The reasons why a key history does not verify, as codes with their meanings. */
export const KEY_HISTORY_FAULTS = {
  duplicateMember: 'An object has two members of the same name.',
  unsupportedVersion: 'The version of the key history is unknown.',
  malformed: 'This is not a key history: a member is absent, malformed or unknown.',
  otherOrigin: 'The key history or its checkpoint belongs to another log.',
  badHandover: 'A hand-over does not have valid signatures of both keys, or it leads back to a former key.',
  malformedCheckpoint: 'The checkpoint is not a signed note with an origin, a size and a root.',
  untrustedKey: 'No chain of hand-overs leads from the trusted key to the key that signed the checkpoint.',
  badSignature: 'The signature of the checkpoint is wrong.',
  wrongOrder: 'The leaves of the hand-overs are not in the order of the keys.',
  leafOutsideTree:
    'The index of the leaf of a hand-over is not below the size of the tree in the checkpoint.',
  notIncluded: 'A proof does not lead from a hand-over to the root of the checkpoint.',
} as const;

/** A code for a key history that does not verify. */
export type KeyHistoryFault = keyof typeof KEY_HISTORY_FAULTS;

/** A key of a log. `maxSize`: number of leaves of the largest tree that a retired key may sign. */
export interface LogKey extends TrustedLog {
  maxSize?: number | undefined;
}

/**
 * The result of a verification. `keys`: the trusted key first, the present key last. `size`: number of leaves of the
 * tree in the checkpoint.
 */
export type KeyHistoryReport =
  | { verified: true; origin: string; size: number; keys: LogKey[] }
  | { verified: false; code: KeyHistoryFault };

type Handover = KeyHistory['handovers'][number];

/**
 * Follows the hand-overs from a trusted key to the present key of a log (docs/spec/log-keys-v1.md). `source`: the text
 * or the UTF-8 bytes of the response of `GET /v1/log/keys`. Does not check hand-overs before the trusted key. Never
 * throws for the content, and makes no requests.
 *
 * @example
 * verifyKeyHistory('{"version":2}', { publicKey: new Uint8Array(32) }, () => true); // => { verified: false, code: 'unsupportedVersion' }
 */
export function verifyKeyHistory(
  source: string | Uint8Array,
  trusted: TrustedLog,
  verify: VerifySignature,
): KeyHistoryReport {
  const input = parseStrictJson(source);
  if ('fault' in input) return refused(input.fault);
  if (isJsonObject(input.value) && input.value.version !== 1) return refused('unsupportedVersion');
  const parsed = keyHistorySchema.safeParse(input.value);
  if (!parsed.success) return refused('malformed');
  const { origin, checkpoint: note } = parsed.data;
  if (origin !== (trusted.origin ?? origin)) return refused('otherOrigin');
  const chain = followHandovers(parsed.data, trusted.publicKey);
  if (!chain.every((handover) => isSignedByBoth(handover, verify))) return refused('badHandover');
  if (hasReturned(chain, trusted.publicKey)) return refused('badHandover');
  const checkpoint = parseCheckpoint(note);
  if (checkpoint === undefined) return refused('malformedCheckpoint');
  const last = chain.at(-1);
  const present = last === undefined ? trusted.publicKey : toBytes(last.statement.to);
  const signer = { named: origin, trusted: { origin, publicKey: present }, verify };
  const fault = findSignerFault(checkpoint, signer) ?? findLeavesFault(chain, checkpoint);
  if (fault !== undefined) return refused(fault);
  const retired = chain.map(({ statement, leafIndex }) => ({
    ...{ origin, publicKey: toBytes(statement.from) },
    maxSize: leafIndex,
  }));
  const keys = [...retired, { origin, publicKey: present }];
  return { verified: true, origin, size: checkpoint.size, keys };
}

/** Returns the hand-overs from the key `first` on. Each one begins with the key at which the previous one ended. */
function followHandovers({ handovers }: KeyHistory, first: Uint8Array): Handover[] {
  const chain: Handover[] = [];
  let key = first;
  for (const handover of handovers) {
    if (!equalBytes(toBytes(handover.statement.from), key)) continue;
    chain.push(handover);
    key = toBytes(handover.statement.to);
  }
  return chain;
}

/**
 * Whether a hand-over leads back to a former key. A report with this key twice would make the `maxSize` of its first
 * entry useless.
 */
function hasReturned(chain: readonly Handover[], first: Uint8Array): boolean {
  const keys = [toBase64(first), ...chain.map(({ statement }) => statement.to)];
  return new Set(keys).size < keys.length;
}

function isSignedByBoth({ statement, signatures }: Handover, verify: VerifySignature): boolean {
  const message = utf8ToBytes(handoverText(statement));
  return (['from', 'to'] as const).every((side) =>
    verify(toBytes(statement[side]), message, toBytes(signatures[side])),
  );
}

function findLeavesFault(
  chain: readonly Handover[],
  checkpoint: SignedCheckpoint,
): KeyHistoryFault | undefined {
  let next = 0;
  for (const { statement, leafIndex, inclusionPath } of chain) {
    if (leafIndex < next) return 'wrongOrder';
    if (leafIndex >= checkpoint.size) return 'leafOutsideTree';
    const leaf = {
      leafIndex,
      leafHash: leafHash(handoverDigest(statement)),
      path: inclusionPath.map(toBytes),
    };
    if (!verifyInclusion(leaf, checkpoint)) return 'notIncluded';
    next = leafIndex + 1;
  }
  return undefined;
}

function toBytes(base64: string): Uint8Array {
  return fromBase64(base64) ?? new Uint8Array();
}

function refused(code: KeyHistoryFault): KeyHistoryReport {
  return { verified: false, code };
}
