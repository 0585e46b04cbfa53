import { parseArgs } from 'node:util';
import type { RecordKind } from '@colophon/model';
import { openClient } from './open-client.js';
import { print } from './print.js';
import { requireOne } from './subcommands.js';
import { UsageError } from './usage.js';

const KINDS: readonly string[] = ['action', 'entity', 'attribution'] satisfies RecordKind[];

export async function receiptCommand(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      kind: { type: 'string', default: 'action' },
      timestamp: { type: 'boolean' },
      json: { type: 'boolean' },
    },
  });
  const id = requireOne(positionals, 'receipt <action>');
  if (!KINDS.includes(values.kind)) throw new UsageError(`--kind takes ${KINDS.join(', ')}.`);
  const { receipts } = openClient();
  const kind = values.kind as RecordKind;
  const found = values.timestamp ? await receipts.timestamp(kind, id) : await receipts.get(kind, id);
  print(found, { json: true, describe: String });
}
