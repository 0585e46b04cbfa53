import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { parseArgs } from 'node:util';
import { openClient } from './open-client.js';
import { requireOne } from './subcommands.js';

/** `colophon read <cid>`: writes the bytes of a content to standard output or to a new file. */
export async function readCommand(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { output: { type: 'string' }, car: { type: 'boolean' }, json: { type: 'boolean' } },
  });
  const cid = requireOne(positionals, 'read <cid>');
  const { body } = await openClient().resources.content(cid, values.car ? { format: 'car' } : {});
  const bytes = Readable.fromWeb((body ?? new Blob([]).stream()) as ReadableStream<Uint8Array>);
  if (values.output === undefined) await pipeline(bytes, process.stdout, { end: false });
  else await writeNew(values.output, bytes);
}

/** Removes the file when the response is incomplete. */
async function writeNew(file: string, bytes: Readable): Promise<void> {
  const target = createWriteStream(file, { flags: 'wx' });
  let isOurs = false;
  target.once('open', () => {
    isOurs = true;
  });
  try {
    await pipeline(bytes, target);
  } catch (error) {
    if (isOurs) await rm(file, { force: true });
    throw error;
  }
}
