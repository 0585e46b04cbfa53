import { parseArgs } from 'node:util';
import type { Bundle } from '@colophon/model';
import type { BundleQuery } from '@colophon/sdk';
import { openClient } from './open-client.js';
import { print, toTable } from './print.js';
import { requireOne, toNumber, withoutAbsent } from './subcommands.js';

export async function bundleCommand(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      direction: { type: 'string' },
      depth: { type: 'string' },
      limit: { type: 'string' },
      json: { type: 'boolean' },
      proof: { type: 'boolean' },
      'proof-version': { type: 'string' },
    },
  });
  const { json, proof, direction, depth, limit, 'proof-version': version } = values;
  const cid = requireOne(positionals, 'bundle <cid>');
  const numbers = {
    depth: toNumber('depth', depth),
    limit: toNumber('limit', limit),
    proofVersion: toNumber('proof-version', version),
  };
  const query = { direction, proof, ...numbers };
  const bundle = await openClient().histories.bundle(cid, withoutAbsent(query) as BundleQuery);
  // A proof is meant to be stored in a file, so it is printed as JSON.
  print(bundle, { json: json || proof, describe: describeBundle });
}

export function describeBundle({ actions, entities, complete }: Bundle): string {
  const nameOf = (id: string) => entities.find((entity) => entity.id === id)?.name ?? id;
  const table = toTable(actions, [
    { head: 'WHEN', of: ({ timestamp }) => timestamp },
    { head: 'WHAT', of: ({ type }) => type },
    { head: 'WHO', of: ({ performedBy }) => nameOf(performedBy) },
    {
      head: 'WITH',
      of: ({ aiTool }) => (aiTool === undefined ? undefined : `${aiTool.provider} ${aiTool.model}`),
    },
    { head: 'FROM', of: ({ inputCids }) => inputCids.join(' ') || undefined },
    { head: 'TO', of: ({ outputCids }) => outputCids.join(' ') || undefined },
  ]);
  return complete ? table : `${table}\nThere are more actions: use a higher --limit or --depth.\n`;
}
