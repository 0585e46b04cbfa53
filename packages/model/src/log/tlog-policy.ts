import { equalBytes } from './tree-hash.js';
import { parseVerifierKey, type VerifierKey } from './verifier-key.js';
import { parseWitnessKey, type WitnessKey } from './witness-key.js';

/** A group of witnesses and of other groups. */
export interface PolicyGroup {
  name: string;
  /** A group counts as a cosigner when at least this number of its members cosigned. A member can itself be a group. */
  threshold: number;
  /** Names of witnesses and groups. */
  members: readonly string[];
}

/**
 * The logs and witnesses that a reader trusts, and the required quorum (C2SP tlog-policy). A name can have any bytes,
 * so each character in the name of a witness or group represents one byte.
 */
export interface TlogPolicy {
  logs: readonly VerifierKey[];
  witnesses: readonly { name: string; key: WitnessKey }[];
  /** The groups in the order of the file. All members of a group are defined in lines before the line of the group. */
  groups: readonly PolicyGroup[];
  /** A witness or a group. Undefined when the policy requires no cosignature (`quorum none`). */
  quorum: string | undefined;
}

/** The codes for a rejected policy file, with their meanings. */
export const POLICY_FAULTS = {
  malformedBytes: 'The file has a control character other than tab and line break.',
  malformedLine:
    'The line is not a log, a witness, a group or a quorum, or it has too few or too many items.',
  malformedKey: 'The key is malformed, or it is not a key of this kind (a log or a witness).',
  duplicateKey: 'An earlier line of the same kind has the same public key.',
  duplicateName: 'The name is already defined or reserved, or the named member is already in a group.',
  unknownName: 'No earlier line defines this name.',
  badThreshold: 'The threshold is not a number from 1 to the number of members.',
  quorumMissing: 'The file has no quorum line.',
  quorumRepeated: 'The file has more than one quorum line.',
  tooLarge: 'The file has more than 1000 lines.',
} as const;

/** A code for a rejected policy file. */
export type PolicyFault = keyof typeof POLICY_FAULTS;

/** The parsed policy, or the first fault. `line` counts from 1. It is absent for a fault of the whole file. */
export type ParsedPolicy = { policy: TlogPolicy } | { fault: PolicyFault; line?: number };

const MAX_LINES = 1_000;
const NONE = 'none';

interface Draft {
  logs: VerifierKey[];
  witnesses: { name: string; key: WitnessKey }[];
  groups: PolicyGroup[];
  /** Undefined until the quorum line. */
  quorum?: string;
  names: Set<string>;
  members: Set<string>;
}

/**
 * Parses a policy file (C2SP tlog-policy). The last line may have no line break. The key of a log must be an Ed25519
 * key, and the key of a witness an Ed25519 or ML-DSA-44 key. For any other key, returns a fault. Never throws, whatever
 * the file contains.
 *
 * @example
 * parsePolicy(new TextEncoder().encode('quorum none\n')); // => { policy: { logs: [], witnesses: [], groups: [], quorum: undefined } }
 * parsePolicy(new TextEncoder().encode('quorum w1\n')); // => { fault: 'unknownName', line: 1 }
 */
export function parsePolicy(bytes: Uint8Array): ParsedPolicy {
  if (bytes.some((byte) => (byte < 0x20 && byte !== 0x09 && byte !== 0x0a) || byte === 0x7f))
    return { fault: 'malformedBytes' };
  const lines = toByteText(bytes).split('\n');
  const count = lines.length - (lines.at(-1) === '' ? 1 : 0);
  if (count > MAX_LINES) return { fault: 'tooLarge' };
  const draft: Draft = { logs: [], witnesses: [], groups: [], names: new Set([NONE]), members: new Set() };
  for (const [place, line] of lines.entries()) {
    const items = line.split(/[ \t]+/).filter((item) => item !== '');
    const [keyword = '#', ...rest] = items;
    if (keyword.startsWith('#')) continue;
    const fault = readLine(draft, keyword, rest);
    if (fault !== undefined) return { fault, line: place + 1 };
  }
  const { logs, witnesses, groups, quorum } = draft;
  if (quorum === undefined) return { fault: 'quorumMissing' };
  return { policy: { logs, witnesses, groups, quorum: quorum === NONE ? undefined : quorum } };
}

function readLine(draft: Draft, keyword: string, items: readonly string[]): PolicyFault | undefined {
  if (keyword === 'log') return readLog(draft, items);
  if (keyword === 'witness') return readWitness(draft, items);
  if (keyword === 'group') return readGroup(draft, items);
  return keyword === 'quorum' ? readQuorum(draft, items) : 'malformedLine';
}

function readLog({ logs }: Draft, [text, ...urls]: readonly string[]): PolicyFault | undefined {
  if (text === undefined || urls.length > 1) return 'malformedLine';
  const key = parseVerifierKey(fromByteText(text));
  if (key === undefined) return 'malformedKey';
  if (logs.some((log) => equalBytes(log.publicKey, key.publicKey))) return 'duplicateKey';
  logs.push(key);
  return undefined;
}

function readWitness(
  { witnesses, names }: Draft,
  [name, text, ...urls]: readonly string[],
): PolicyFault | undefined {
  if (name === undefined || text === undefined || urls.length > 1) return 'malformedLine';
  const key = parseWitnessKey(fromByteText(text));
  if (key === undefined) return 'malformedKey';
  if (names.has(name)) return 'duplicateName';
  if (witnesses.some((witness) => equalBytes(witness.key.publicKey, key.publicKey))) return 'duplicateKey';
  witnesses.push({ name, key });
  names.add(name);
  return undefined;
}

function readGroup(draft: Draft, [name, required, ...members]: readonly string[]): PolicyFault | undefined {
  const { groups, names } = draft;
  if (name === undefined || required === undefined || members.length === 0) return 'malformedLine';
  if (names.has(name)) return 'duplicateName';
  const threshold = readThreshold(required, members.length);
  if (threshold === undefined) return 'badThreshold';
  for (const member of members) {
    if (member === NONE || !names.has(member)) return 'unknownName';
    if (draft.members.has(member)) return 'duplicateName';
    draft.members.add(member);
  }
  groups.push({ name, threshold, members });
  names.add(name);
  return undefined;
}

function readThreshold(required: string, members: number): number | undefined {
  if (required === 'any') return 1;
  if (required === 'all') return members;
  const threshold = /^[1-9]\d{0,3}$/.test(required) ? Number(required) : members + 1;
  return threshold <= members ? threshold : undefined;
}

function readQuorum(draft: Draft, [name, ...more]: readonly string[]): PolicyFault | undefined {
  if (name === undefined || more.length > 0) return 'malformedLine';
  if (draft.quorum !== undefined) return 'quorumRepeated';
  if (!draft.names.has(name)) return 'unknownName';
  draft.quorum = name;
  return undefined;
}

/** One character for each byte. */
function toByteText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

/** Invalid UTF-8 becomes U+FFFD. The key id then does not match the changed name, so the key is malformed. */
function fromByteText(text: string): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    Uint8Array.from(text, (character) => character.charCodeAt(0)),
  );
}
