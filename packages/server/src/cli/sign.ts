import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { ActionRequest, ActivityRequest } from '@colophon/model';
import { signAction, signFileAction } from '@colophon/sdk';
import { openFile } from './open-file.js';
import { parseJson } from './parse-json.js';
import { print } from './print.js';
import { makeKey, readSigner } from './signing-key.js';
import { UsageError } from './usage.js';

/** Adds the performer's signature (the proof) to a request, without the service. */
export async function signCommand(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { 'key-file': { type: 'string' }, new: { type: 'string' }, json: { type: 'boolean' } },
  });
  const { 'key-file': keyFile, new: newFile, json } = values;
  const [file, ...rest] = positionals;
  if (newFile !== undefined && keyFile === undefined && file === undefined) return makeKey(newFile, json);
  if (file === undefined || rest.length > 0 || keyFile === undefined || newFile !== undefined)
    throw new UsageError('Run `colophon sign <request> --key-file <file>` or `colophon sign --new <file>`.');
  const signer = await readSigner(keyFile);
  const request = parseRequest(file, await text((await openFile(file)).read('reading')));
  const signed = isActivity(request)
    ? await signFileAction(signer, request)
    : await signAction(signer, request as ActionRequest);
  print(signed, { json: true, describe: String });
}

/** Accepts the body of POST /v1/action, or the `json` part of POST /v1/activity. */
function parseRequest(file: string, json: string): ActionRequest | ActivityRequest {
  const request = parseJson(json) as Partial<ActionRequest & ActivityRequest> | undefined;
  if (typeof request?.performedBy === 'string') return request as ActionRequest;
  if (typeof request?.entity?.id === 'string') return request as ActivityRequest;
  throw new UsageError(
    `${file} is neither the JSON of an action, with \`performedBy\`, nor that of a file recording, with \`entity.id\`.`,
  );
}

function isActivity(request: ActionRequest | ActivityRequest): request is ActivityRequest {
  return 'entity' in request;
}
