import { parseArgs } from 'node:util';
import type { IsccSearchResult, SearchResult } from '@colophon/model';
import type { Client } from '@colophon/sdk';
import { openClient } from './open-client.js';
import { fileNameOf, openFile } from './open-file.js';
import { print, toTable } from './print.js';
import { requireName, toNumber, withoutAbsent } from './subcommands.js';
import { UsageError } from './usage.js';

/** Exactly one field is set. */
interface Sought {
  file: string | undefined;
  text: string | undefined;
  cid: string | undefined;
}

export async function searchCommand(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      text: { type: 'string' },
      cid: { type: 'string' },
      iscc: { type: 'string' },
      limit: { type: 'string' },
      json: { type: 'boolean' },
    },
  });
  const { text, cid, iscc, limit, json } = values;
  const [file, ...rest] = positionals;
  if ([file, text, cid, iscc].filter((one) => one !== undefined).length !== 1 || rest.length > 0)
    throw new UsageError('Run `colophon search <file>`, `--text <text>`, `--cid <cid>` or `--iscc <code>`.');
  const query = withoutAbsent({ limit: toNumber('limit', limit) });
  const client = openClient();
  if (iscc !== undefined)
    return print(await client.search.iscc({ code: iscc, ...query }), { json, describe: describeNear });
  print(await search(client, { file, text, cid }, query), { json, describe: describeMatches });
}

async function search({ search }: Client, { file, text, cid }: Sought, query: { limit?: number }) {
  if (text !== undefined) return search.text({ text, ...query });
  if (cid !== undefined) return search.similar(requireName(cid), query);
  const content = (await openFile(file ?? '')).read('sending');
  return search.file(content, query, { fileName: fileNameOf(file ?? '') });
}

const NEAR_NOTE = `CONTENT, DATA and INSTANCE show <different bits>/<compared bits>. An ISCC is for the exchange
with other systems. \`colophon search <file>\` decides whether two contents are the same.
`;

function describeNear({ verdict, matches, isComplete }: IsccSearchResult): string {
  const part = isComplete
    ? ''
    : 'The project has more codes than one search compares, so this search can have missed similar ones.\n';
  if (matches.length === 0) return `No similar ISCC is recorded in this project.\n${part}`;
  const bitsOf = (match: (typeof matches)[number], name: string) => {
    const unit = match.units.find((one) => one.unit === name);
    return unit && `${unit.distance}/${unit.bits}`;
  };
  const table = toTable(matches, [
    { head: 'CID', of: ({ cid }) => cid },
    { head: 'SCORE', of: ({ score }) => score.toFixed(3) },
    { head: 'CONTENT', of: (match) => bitsOf(match, 'content') },
    { head: 'DATA', of: (match) => bitsOf(match, 'data') },
    { head: 'INSTANCE', of: (match) => bitsOf(match, 'instance') },
    { head: 'TYPE', of: ({ type }) => type },
  ]);
  return `${verdict}\n\n${table}${part}${NEAR_NOTE}`;
}

function describeMatches({ verdict, matches }: SearchResult): string {
  if (matches.length === 0) return 'Nothing like it is recorded in this project.\n';
  const table = toTable(matches, [
    { head: 'CID', of: ({ cid }) => cid },
    { head: 'SCORE', of: ({ score }) => score.toFixed(3) },
    { head: 'BY', of: ({ method }) => method },
    { head: 'TYPE', of: ({ type }) => type },
  ]);
  return `${verdict}\n\n${table}`;
}
