import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Detection, DetectionLayer } from '@colophon/model';
import { openVisitor } from './open-client.js';
import { fileNameOf, openFile } from './open-file.js';
import { print, withoutBreaks } from './print.js';
import { NotVerifiedError, UsageError } from './usage.js';

/** The marks of one file. */
interface Detected extends Detection {
  file: string;
}

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
    const content = (await openFile(file)).read('sending');
    const detection = { file, ...(await client.detect(content, { fileName: fileNameOf(file) })) };
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
