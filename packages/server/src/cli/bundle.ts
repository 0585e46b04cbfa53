import { parseArgs } from 'node:util';
import type { Bundle } from '@colophon/model';
import { requireClientConfig } from './client-config.js';
import { print, toTable } from './print.js';
import { createServiceClient } from './service-client.js';
import { toSegment } from './subcommands.js';
import { UsageError } from './usage.js';

/** `colophon bundle <cid>`: shows the history of a content, or prints it with its proof. */
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
    },
  });
  const [cid, ...rest] = positionals;
  if (cid === undefined || rest.length > 0) throw new UsageError('Say `colophon bundle <cid>`.');
  const { json, proof, ...texts } = values;
  const asked = { ...texts, proof: proof ? 'true' : undefined };
  const given = Object.entries(asked).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const query = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
  const client = createServiceClient(requireClientConfig());
  const bundle = (await client.ask(`/v1/bundle/${toSegment(cid)}${query}`)) as Bundle;
  // A proof is for a file, not for eyes.
  print(bundle, { json: json || proof, describe: describeBundle });
}

/** A bundle as a table of what was done, oldest first. */
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
  return complete ? table : `${table}\nThis is not all: raise --limit or --depth.\n`;
}
