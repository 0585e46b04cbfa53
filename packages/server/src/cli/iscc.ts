import { parseArgs } from 'node:util';
import { readDecoders } from '../config.js';
import { type ContentIscc, computeIscc } from './compute-iscc.js';
import { openFile } from './open-file.js';
import { print } from './print.js';
import { UsageError } from './usage.js';

/** Computes the codes by ISO 24138, on this machine. */
export async function isccCommand(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { title: { type: 'string' }, description: { type: 'string' }, json: { type: 'boolean' } },
  });
  const { title, description, json } = values;
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) throw new UsageError('Run `colophon iscc <file>`.');
  if (title?.trim() === '') throw new UsageError('--title takes a text that is not empty.');
  if (description !== undefined && title === undefined) throw new UsageError('--description needs --title.');
  const work = title === undefined ? undefined : { name: title, description: description ?? '' };
  const decoders = readDecoders();
  const content = (await openFile(file)).read('reading');
  print(await computeIscc(content, { ...decoders, work }), { json, describe: describeIscc });
}

function describeIscc({ iscc, units, withoutContentCode }: ContentIscc): string {
  const lines = [iscc, ...units.map((unit) => `  ${unit}`)];
  return `${[...lines, ...(withoutContentCode === undefined ? [] : [withoutContentCode])].join('\n')}\n`;
}
