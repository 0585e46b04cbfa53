import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Detection, DetectionLayer } from '@colophon/model';
import type { Content } from '@colophon/sdk';
import { openVisitor } from './open-client.js';
import { fileNameOf, type OpenedFile, openFile, STDIN } from './open-file.js';
import { print, withoutBreaks } from './print.js';
import { NotVerifiedError, UsageError } from './usage.js';

/** The marks of one file. */
interface Detected extends Detection {
  file: string;
}

/** Maximum number of repetitions for one file. At its limit, the service states when the next request is allowed. */
const MAX_RETRIES = 5;

/** `colophon detect <file>...`: finds marks of AI in files, with the public detector of a service. */
export async function detectCommand(argv: string[]): Promise<void> {
  const { values, positionals: files } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { report: { type: 'string' }, json: { type: 'boolean' } },
  });
  const { report, json } = values;
  if (files.length === 0) throw new UsageError('Run `colophon detect <file>...`.');
  if (report !== undefined && files.length > 1)
    throw new UsageError('--report takes one file. Run the command once for each file.');
  const client = openVisitor();
  const found: Detected[] = [];
  for (const file of files) {
    const options = { fileName: fileNameOf(file), maxRetries: MAX_RETRIES };
    const detection = { file, ...(await client.detect(await openRepeatedly(file), options)) };
    found.push(detection);
    if (report !== undefined)
      await writeFile(report, `${JSON.stringify(detection.report, null, 2)}\n`, { flag: 'wx' });
    if (!json) print(detection, { json, describe });
  }
  const [only] = found;
  if (json) print(found.length === 1 ? only : found, { json, describe: String });
  if (found.some(({ layers }) => layers.length === 0))
    throw new NotVerifiedError('The detector found no mark in at least one file.');
}

/** Opens a file, and again for each repetition of the request. Standard input can be sent only once. */
async function openRepeatedly(file: string): Promise<Content> {
  const opened = await openFile(file);
  if (file === STDIN) return opened.read('sending');
  let first: OpenedFile | undefined = opened;
  return () => {
    const unread = first;
    first = undefined;
    return unread === undefined ? readAgain(file) : unread.read('sending');
  };
}

async function* readAgain(file: string): AsyncGenerator<Uint8Array> {
  yield* (await openFile(file)).read('sending');
}

function describe({ file, summary, layers }: Detected): string {
  return `${[`${file}: ${summary}`, ...layers.flatMap(describeLayer)].join('\n')}\n`;
}

function describeLayer(layer: DetectionLayer): string[] {
  const { kind, confidence, says, meaning, makers = [], recordedAt } = layer;
  const named = makers.map(({ name, role }) => (name === undefined ? role : `${name} (${role})`)).join(', ');
  return [
    `  ${kind} (${confidence}): ${says}`,
    ...(meaning === undefined ? [] : [`    ${meaning}`]),
    ...(named === '' ? [] : [`    Made by: ${withoutBreaks(named)}.`]),
    ...(recordedAt === undefined ? [] : [`    Recorded: ${recordedAt}.`]),
  ];
}
