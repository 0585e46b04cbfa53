import { parseArgs } from 'node:util';
import type { KeyHistory } from '@colophon/model';
import type { LogDescription } from '@colophon/sdk';
import { openClient } from './open-client.js';
import { print, toTable } from './print.js';
import { UsageError } from './usage.js';

export async function logCommand(argv: string[]): Promise<void> {
  const [first, ...rest] = argv;
  if (first === 'watch') return (await import('./log-watch.js')).logWatchCommand(rest);
  if (first === 'rotate-key') return (await import('./log-rotate-key.js')).logRotateKeyCommand(rest);
  if (first === 'accept-loss') return (await import('./log-accept-loss.js')).logAcceptLossCommand(rest);
  if (first === 'check') return (await import('./log-check.js')).logCheckCommand(rest);
  if (first === 'keys') return keysCommand(rest);
  const { values } = parseArgs({
    args: argv,
    options: { checkpoint: { type: 'boolean' }, json: { type: 'boolean' } },
  });
  const { checkpoint, json } = values;
  if (checkpoint && json)
    throw new UsageError('--checkpoint prints a signed note, not JSON. Leave --json out.');
  const { log } = openClient();
  if (checkpoint) process.stdout.write(await log.checkpoint());
  else print(await log.get(), { json, describe: describeLog });
}

/** `colophon verify --keys` can read the output of `--json`. */
async function keysCommand(argv: string[]): Promise<void> {
  const { values } = parseArgs({ args: argv, options: { json: { type: 'boolean' } } });
  print(await openClient().log.keys(), { json: values.json, describe: describeKeys });
}

function describeKeys({ origin, keys, handovers }: KeyHistory): string {
  const table = toTable(keys, [
    { head: 'VERIFIER KEY', of: ({ verifierKey }) => verifierKey },
    { head: 'STATE', of: (key) => describeState(key, { keys, handovers }) },
  ]);
  return `log  ${origin}\n\n${table}`;
}

function describeState(
  key: KeyHistory['keys'][number],
  { keys, handovers }: Pick<KeyHistory, 'keys' | 'handovers'>,
): string {
  if (key === keys.at(-1)) return 'present';
  const from = Buffer.from(key.publicKey, 'hex').toString('base64');
  const handover = handovers.find(({ statement }) => statement.from === from);
  return handover === undefined ? 'lost' : `handed over at leaf ${handover.leafIndex}`;
}

function describeLog({ origin, verifierKey, publicKey, size }: LogDescription): string {
  return `log           ${origin}
leaves        ${size}
verifier key  ${verifierKey}
public key    ${publicKey}
`;
}
