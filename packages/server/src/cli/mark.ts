import { parseArgs } from 'node:util';
import type { AiDisclosure, Mark, MarkRequest } from '@colophon/model';
import { openClient } from './open-client.js';
import { fileNameOf, openFile, toReadable } from './open-file.js';
import { print, toTable } from './print.js';
import { withoutAbsent } from './subcommands.js';
import { UsageError } from './usage.js';
import { writeNew } from './write-new.js';

const OPTIONS = {
  entity: { type: 'string' },
  generator: { type: 'string' },
  'generator-version': { type: 'string' },
  disclosure: { type: 'string' },
  title: { type: 'string' },
  'comment-syntax': { type: 'string' },
  watermark: { type: 'boolean' },
  'file-name': { type: 'string' },
  output: { type: 'string' },
  json: { type: 'boolean' },
} as const;

type MarkArguments = ReturnType<typeof readValues>['values'];

export async function markCommand(argv: string[]): Promise<void> {
  const { values, positionals } = readValues(argv);
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) throw new UsageError('Run `colophon mark <file>`.');
  const request = toRequest(values);
  const client = openClient();
  const fileName = values['file-name'] ?? fileNameOf(file);
  const mark = await client.mark((await openFile(file)).read('sending'), request, { fileName });
  if (values.output !== undefined)
    await writeNew(values.output, toReadable(await client.resources.content(mark.cid)));
  print(mark, { json: values.json, describe: describeMark });
}

function readValues(argv: string[]) {
  return parseArgs({ args: argv, allowPositionals: true, allowNegative: true, options: OPTIONS });
}

/** Checks only the required options and the disclosure. The service validates other values. */
function toRequest(values: MarkArguments): MarkRequest {
  const { entity, generator, title, watermark, 'comment-syntax': commentSyntax } = values;
  if (entity === undefined || generator === undefined)
    throw new UsageError('Name the maker with --entity, and the tool with --generator.');
  const version = values['generator-version'];
  return withoutAbsent({
    entityId: entity,
    generator: { name: generator, ...withoutAbsent({ version }) },
    aiDisclosure: toDisclosure(values.disclosure),
    title,
    commentSyntax,
    watermark,
  }) as MarkRequest;
}

function toDisclosure(text: string | undefined): AiDisclosure {
  if (text === 'ai_generated' || text === 'ai_assisted') return text;
  if (text === 'none') return null;
  throw new UsageError(
    '--disclosure must be ai_generated, ai_assisted or none. Use none if only people made the file.',
  );
}

function describeMark({ cid, actionId, layers }: Mark): string {
  const table = toTable(layers, [
    { head: 'LAYER', of: ({ kind }) => kind },
    { head: 'STATE', of: ({ state }) => state },
    { head: 'METHOD', of: ({ method }) => method },
    { head: 'REASON', of: ({ reason }) => reason },
  ]);
  return `${cid}\n\nmarked by action ${actionId}\n\n${table}`;
}
