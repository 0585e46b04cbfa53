import { createHash } from 'node:crypto';
import type { WitnessKey } from '@colophon/model';
import { type Variables, variables } from './variables.js';
import { explainWitnessKey, readWitnessKey } from './witness-key.js';

export interface WitnessingConfig {
  witnesses: readonly ConfiguredWitness[];
  intervalMs: number;
  /** Time limit of one request to a witness. */
  timeoutMs: number;
}

export interface ConfiguredWitness {
  /**
   * The name of the witness in the database. For Ed25519, it is `keyText`. An ML-DSA-44 key has 1.8 KB as text, so its
   * id has the SHA-256 of the key.
   */
  id: string;
  keyText: string;
  /** The submission prefix (C2SP tlog-witness): requests go to `<url>/add-checkpoint`. */
  url: string;
}

const MAX_WITNESSES = 16;
const TIMEOUT_MS = 5_000;

/** `witnessing` is undefined without valid entries. `problems` has one text for each kind of problem. */
export function readWitnesses({ WITNESSES, WITNESS_INTERVAL }: Variables): {
  witnessing: WitnessingConfig | undefined;
  problems: string[];
} {
  const entries = (WITNESSES ?? '')
    .split(/[\n,]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const witnesses = entries.map(parseEntry).filter((found) => found !== undefined);
  const problems: string[] = [];
  // The message does not repeat the entry, because its address can contain a password.
  const refused = entries.findIndex((entry) => parseEntry(entry) === undefined);
  if (refused >= 0)
    problems.push(
      `WITNESSES has a malformed entry: number ${refused + 1} ${explainEntry(entries[refused] ?? '')}. Each entry is <key> <address>, e.g. witness.example.org/one+1a2b3c4d+BA... https://witness.example.org`,
    );
  if (new Set(witnesses.map(({ keyText }) => publicKeyIn(keyText))).size < witnesses.length)
    problems.push('WITNESSES lists a key more than once');
  if (witnesses.length > MAX_WITNESSES) problems.push(`WITNESSES lists more than ${MAX_WITNESSES} witnesses`);
  const witnessing = { witnesses, intervalMs: WITNESS_INTERVAL * 1_000, timeoutMs: TIMEOUT_MS };
  return { witnessing: witnesses.length === 0 ? undefined : witnessing, problems };
}

function parseEntry(entry: string): ConfiguredWitness | undefined {
  const [keyText = '', url = '', ...rest] = entry.split(/\s+/);
  const isAddress = variables.shape.PUBLIC_URL.safeParse(url).success && url !== '';
  const key = readWitnessKey(keyText);
  if (key === undefined || !isAddress || rest.length > 0) return undefined;
  return { id: key.algorithm === 'ed25519' ? keyText : toShortId(key), keyText, url };
}

/** Like the text of a key, the id contains no blanks. */
function toShortId({ name, keyId, publicKey }: WitnessKey): string {
  return `${name}+${keyId}+sha256:${createHash('sha256').update(publicKey).digest('hex')}`;
}

function explainEntry(entry: string): string {
  const [keyText = ''] = entry.split(/\s+/);
  return readWitnessKey(keyText) === undefined
    ? `begins with a key that ${explainWitnessKey(keyText)}`
    : 'does not have exactly one valid address after its key';
}

/** One key with two names is a duplicate: it counts once in a quorum. */
function publicKeyIn(keyText: string): string {
  return keyText.split('+').slice(2).join('+');
}
