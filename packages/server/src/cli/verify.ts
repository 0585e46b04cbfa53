import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type Bundle, createContentHasher } from '@colophon/model';
import { describeBundle } from './bundle.js';
import { requireClientConfig } from './client-config.js';
import { type OpenedFile, openFile } from './open-file.js';
import { print } from './print.js';
import { createServiceClient, RefusalError, type ServiceClient } from './service-client.js';
import { NotVerifiedError, UsageError } from './usage.js';
import { verifyReceiptFile } from './verify-receipt.js';

/** What was found out about a file; without a bundle when nothing is known of it. */
interface Verdict {
  cid: string;
  recorded: boolean;
  bundle?: Bundle;
}

/**
 * `colophon verify <file>`: tells whether this very file is recorded. Its name is computed here, not there. With a
 * key the file is a receipt, and nobody is asked, or the chain alone.
 */
export async function verifyCommand(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { json: { type: 'boolean' }, key: { type: 'string' }, rpc: { type: 'string' } },
  });
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) throw new UsageError('Say `colophon verify <file>`.');
  const { key, rpc, json } = values;
  if (key !== undefined) return verifyReceiptFile(file, { key, rpc, json });
  if (rpc !== undefined) throw new UsageError('--rpc goes with --key.');
  const client = createServiceClient(requireClientConfig());
  const cid = await computeCid(await openFile(file));
  const bundle = await readBundle(client, cid);
  const verdict: Verdict = {
    cid,
    recorded: bundle !== undefined && isRecorded(cid, bundle),
    ...(bundle === undefined ? {} : { bundle }),
  };
  print(verdict, { json, describe: () => describeVerdict(file, verdict) });
  if (verdict.recorded) return;
  const known = bundle === undefined ? 'not recorded' : 'only named as an input';
  throw new NotVerifiedError(`${file} is ${known} in this project.`);
}

/** Whether somebody made or brought the content itself: that an action names it as its input proves nothing. */
function isRecorded(cid: string, { cid: canonical, aliases = {}, actions, resources }: Bundle): boolean {
  const names = new Set([
    cid,
    canonical,
    ...Object.keys(aliases).filter((one) => aliases[one] === canonical),
  ]);
  return (
    actions.some(({ outputCids }) => outputCids.some((output) => names.has(output))) ||
    resources.some((resource) => names.has(resource.cid) && resource.locations.length > 0)
  );
}

async function readBundle(client: ServiceClient, cid: string): Promise<Bundle | undefined> {
  try {
    return (await client.ask(`/v1/bundle/${cid}`)) as Bundle;
  } catch (error) {
    if (error instanceof RefusalError && error.code === 'NotFound') return undefined;
    throw error;
  }
}

function describeVerdict(file: string, { cid, recorded, bundle }: Verdict): string {
  if (bundle === undefined) return `${cid}\n\nNever recorded, or a byte of it was changed since.\n`;
  if (!recorded) return `${cid}\n\nNamed as the input of an action, but never recorded itself.\n`;
  return `${file} is recorded, byte for byte, as\n${cid}\n\n${describeBundle(bundle)}`;
}

async function computeCid(file: OpenedFile): Promise<string> {
  const hasher = createContentHasher({ createSha256: () => createHash('sha256') });
  for await (const chunk of file.read('reading')) hasher.update(chunk);
  return hasher.finish().cid;
}
