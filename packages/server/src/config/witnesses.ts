import { parseWitnessKey } from '@colophon/model';
import { explainWitnessKey } from './explain-witness-key.js';
import { type Variables, variables } from './variables.js';

export interface WitnessingConfig {
  /** `keyText`: the witness's key. `url`: the address before `/add-checkpoint`. */
  witnesses: readonly { keyText: string; url: string }[];
  intervalMs: number;
  /** Time limit of one request to a witness. */
  timeoutMs: number;
}

const MAX_WITNESSES = 16;
const TIMEOUT_MS = 5_000;

/** `witnessing` is undefined without entries. `problems` has one sentence for each kind of problem. */
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
  // The message does not repeat the entry, whose address can have a password.
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

function parseEntry(entry: string): WitnessingConfig['witnesses'][number] | undefined {
  const [keyText = '', url = '', ...rest] = entry.split(/\s+/);
  const isAddress = variables.shape.PUBLIC_URL.safeParse(url).success && url !== '';
  const isSound = parseWitnessKey(keyText) !== undefined && isAddress && rest.length === 0;
  return isSound ? { keyText, url } : undefined;
}

function explainEntry(entry: string): string {
  const [keyText = ''] = entry.split(/\s+/);
  return parseWitnessKey(keyText) === undefined
    ? `begins with a key that ${explainWitnessKey(keyText)}`
    : 'has no valid address after its key';
}

/**
 * Returns the base64 of the public key. One key with two names is a duplicate: it counts once in a quorum.
 */
function publicKeyIn(keyText: string): string {
  return keyText.split('+').slice(2).join('+');
}
