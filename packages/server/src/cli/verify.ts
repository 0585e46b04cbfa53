import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type Bundle, createContentHasher } from '@colophon/model';
import { readClientConfig } from '../config.js';
import { describeBundle } from './bundle.js';
import { print } from './print.js';
import { withProgress } from './progress.js';
import { createServiceClient, RefusalError, type ServiceClient } from './service-client.js';
import { NotVerifiedError, UsageError } from './usage.js';
import { verifyReceiptFile } from './verify-receipt.js';

/** What was found out about a file; without a bundle when it is not recorded. */
interface Verdict {
  cid: string;
  recorded: boolean;
  bundle?: Bundle;
}

/**
 * `colophon verify <file>`: tells whether this very file is recorded. Its name is computed here, not there. With a
 * key the file is a receipt, and nobody is asked.
 */
export async function verifyCommand(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { json: { type: 'boolean' }, key: { type: 'string' } },
  });
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) throw new UsageError('Say `colophon verify <file>`.');
  if (values.key !== undefined) return verifyReceiptFile(file, { key: values.key, json: values.json });
  const client = createServiceClient(readClientConfig());
  const cid = await computeCid(file);
  const bundle = await readBundle(client, cid);
  const verdict: Verdict = {
    cid,
    recorded: bundle !== undefined,
    ...(bundle === undefined ? {} : { bundle }),
  };
  print(verdict, { json: values.json, describe: () => describeVerdict(file, verdict) });
  if (bundle === undefined) throw new NotVerifiedError(`${file} is not recorded in this project.`);
}

async function readBundle(client: ServiceClient, cid: string): Promise<Bundle | undefined> {
  try {
    return (await client.ask(`/v1/bundle/${cid}`)) as Bundle;
  } catch (error) {
    if (error instanceof RefusalError && error.code === 'NotFound') return undefined;
    throw error;
  }
}

function describeVerdict(file: string, { cid, bundle }: Verdict): string {
  if (bundle === undefined) return `${cid}\n\nNever recorded, or a byte of it was changed since.\n`;
  return `${file} is recorded, byte for byte, as\n${cid}\n\n${describeBundle(bundle)}`;
}

async function computeCid(file: string): Promise<string> {
  const { size: sizeBytes } = await stat(file);
  const hasher = createContentHasher({ createSha256: () => createHash('sha256') });
  for await (const chunk of withProgress(createReadStream(file), { label: 'reading', sizeBytes })) {
    hasher.update(chunk);
  }
  return hasher.finish().cid;
}
