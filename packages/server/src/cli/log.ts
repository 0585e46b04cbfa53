import { parseArgs } from 'node:util';
import type { LogDescription } from '@colophon/sdk';
import { openClient } from './open-client.js';
import { print } from './print.js';
import { UsageError } from './usage.js';

export async function logCommand(argv: string[]): Promise<void> {
  const [first, ...rest] = argv;
  if (first === 'watch') return (await import('./log-watch.js')).logWatchCommand(rest);
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

function describeLog({ origin, verifierKey, publicKey, size }: LogDescription): string {
  return `log           ${origin}
leaves        ${size}
verifier key  ${verifierKey}
public key    ${publicKey}
`;
}
