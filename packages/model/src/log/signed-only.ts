import type { JsonObject } from '../canonical-json.js';
import { type RecordKind, VOLATILE_MEMBERS } from '../record-digest.js';
import type { ClaimedBundle } from './claimed-bundle.js';

/** The log proves these members, or `verifyBundle` checks them. */
const PROVEN = ['cid', 'entities', 'actions', 'attributions', 'complete', 'proof'];

interface ProvenRecord {
  kind: RecordKind;
  body: JsonObject;
  proof: ClaimedBundle['proof']['records'][number];
}

/**
 * Names of members that the service signed and the log does not prove, in the order of their UTF-16 code units
 * (docs/spec/receipts-v1.md, section 8).
 */
export function listSignedOnly(claim: ClaimedBundle, records: readonly ProvenRecord[]): string[] {
  const isClaim = (name: string) => name !== 'aliases' || Object.keys(claim.aliases).length > 0;
  const ofBundle = Object.keys(claim).filter((name) => !PROVEN.includes(name) && isClaim(name));
  return [...new Set([...ofBundle, ...records.flatMap(membersOf)])].sort();
}

/** Leaves out the `digest` of an action, because `verifyBundle` compares it with the proven digest. */
function membersOf({ kind, body, proof }: ProvenRecord): string[] {
  const isPresent = (name: string) => Object.hasOwn(body, name);
  const isErased = Object.keys(proof.erased ?? {}).length > 0;
  return [
    ...VOLATILE_MEMBERS.filter((name) => isPresent(name) && (kind !== 'action' || name !== 'digest')),
    ...(isErased && isPresent('erasure') ? ['erasure'] : []),
  ];
}
