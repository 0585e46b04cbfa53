import { parseArgs } from 'node:util';
import type { SearchResult } from '@colophon/model';
import type { Client } from '@colophon/sdk';
import { openClient } from './open-client.js';
import { fileNameOf, openFile } from './open-file.js';
import { print, toTable } from './print.js';
import { requireName, toNumber, withoutAbsent } from './subcommands.js';
import { UsageError } from './usage.js';

/** The input of a search. Exactly one member is set. */
interface Sought {
  file: string | undefined;
  text: string | undefined;
  cid: string | undefined;
}

/** `colophon search <file>`: finds recorded content that is identical or similar to a file, a text or a content. */
export async function searchCommand(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      text: { type: 'string' },
      cid: { type: 'string' },
      limit: { type: 'string' },
      json: { type: 'boolean' },
    },
  });
  const { text, cid, limit, json } = values;
  const [file, ...rest] = positionals;
  if ([file, text, cid].filter((one) => one !== undefined).length !== 1 || rest.length > 0)
    throw new UsageError('Run `colophon search <file>`, `--text <text>` or `--cid <cid>`.');
  const query = withoutAbsent({ limit: toNumber('limit', limit) });
  print(await search(openClient(), { file, text, cid }, query), { json, describe: describeMatches });
}

async function search({ search }: Client, { file, text, cid }: Sought, query: { limit?: number }) {
  if (text !== undefined) return search.text({ text, ...query });
  if (cid !== undefined) return search.similar(requireName(cid), query);
  const content = (await openFile(file ?? '')).read('sending');
  return search.file(content, query, { fileName: fileNameOf(file ?? '') });
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
