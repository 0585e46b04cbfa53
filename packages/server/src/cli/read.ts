import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { openClient } from './open-client.js';
import { toReadable } from './open-file.js';
import { requireOne } from './subcommands.js';
import { writeNew } from './write-new.js';

export async function readCommand(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { output: { type: 'string' }, car: { type: 'boolean' }, json: { type: 'boolean' } },
  });
  const cid = requireOne(positionals, 'read <cid>');
  const bytes = toReadable(await openClient().resources.content(cid, values.car ? { format: 'car' } : {}));
  if (values.output === undefined) await pipeline(bytes, process.stdout, { end: false });
  else await writeNew(values.output, bytes);
}
