import { parseArgs } from 'node:util';
import type { Bundle } from '@colophon/model';
import { ApiError, type Client, computeCid } from '@colophon/sdk';
import { describeBundle } from './bundle.js';
import { openClient } from './open-client.js';
import { openFile } from './open-file.js';
import { print } from './print.js';
import { readKeys } from './trusted-keys.js';
import { NotVerifiedError, UsageError } from './usage.js';
import { findPolicyKey, openPolicy } from './verify-cosigners.js';
import { readClaim, verifyClaimByService, verifyDocumentFile } from './verify-document.js';
import { readStampOptions } from './verify-stamp.js';

/** `bundle` is absent when the service does not know the file. */
interface VerifyVerdict {
  cid: string;
  recorded: boolean;
  bundle?: Bundle;
}

/** Verifies a receipt or a bundle without the service if `--key` or `--policy` has the key of its log. */
export async function verifyCommand(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      json: { type: 'boolean' },
      key: { type: 'string', multiple: true },
      keys: { type: 'string' },
      digest: { type: 'string' },
      rpc: { type: 'string' },
      strict: { type: 'boolean' },
      witness: { type: 'string', multiple: true },
      quorum: { type: 'string' },
      policy: { type: 'string' },
      'require-anchor': { type: 'boolean' },
      timestamp: { type: 'string' },
      'tsa-ca': { type: 'string' },
    },
  });
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) throw new UsageError('Run `colophon verify <file>`.');
  const { key: given = [], keys: history, rpc, json, strict } = values;
  const policy = await openPolicy(values);
  const stamp = await readStampOptions(values);
  const options = { ...values, policy, stamp };
  if (values['require-anchor'] && rpc === undefined)
    throw new UsageError(
      '--require-anchor needs --rpc <address>: only a node of the chain can show the anchor.',
    );
  if (history !== undefined && given.length === 0)
    throw new UsageError('--keys needs --key <k>, the key that you trust.');
  if (given.length > 0) return verifyDocumentFile(file, await readKeys(given, history), options);
  const claim = await readClaim(file);
  const ofPolicy = claim && findPolicyKey(policy, claim);
  if (ofPolicy !== undefined) return verifyDocumentFile(file, ofPolicy, options);
  if (claim !== undefined) return verifyClaimByService(claim, { ...options, name: file });
  if ([rpc, strict, policy, values.digest, stamp].some((option) => option !== undefined))
    throw new UsageError(
      '--rpc, --strict, --witness, --policy, --digest and --timestamp work only with a receipt or a proven bundle.',
    );
  const client = openClient();
  const cid = await computeCid((await openFile(file)).read('reading'));
  const bundle = await readBundle(client, cid);
  const verdict: VerifyVerdict = {
    cid,
    recorded: bundle !== undefined && isRecorded(cid, bundle),
    ...(bundle === undefined ? {} : { bundle }),
  };
  print(verdict, { json, describe: () => describeVerdict(file, verdict) });
  if (verdict.recorded) return;
  const known = bundle === undefined ? 'not recorded' : 'only named as an input';
  throw new NotVerifiedError(`${file} is ${known} in this project.`);
}

/** An action that uses the content as an input does not prove that the content was recorded. */
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

async function readBundle({ histories }: Client, cid: string): Promise<Bundle | undefined> {
  try {
    return await histories.bundle(cid);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NotFound') return undefined;
    throw error;
  }
}

function describeVerdict(file: string, { cid, recorded, bundle }: VerifyVerdict): string {
  if (bundle === undefined)
    return `${cid}\n\nThis file was never recorded, or it was changed after its recording.\n`;
  if (!recorded)
    return `${cid}\n\nAn action names this file as its input, but the file itself was never recorded.\n`;
  return `${file} is recorded, byte for byte, as\n${cid}\n\n${describeBundle(bundle)}`;
}
