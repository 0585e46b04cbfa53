import { createHash } from 'node:crypto';
import { canonicalJson } from '@colophon/model';
import type { FastifyRequest } from 'fastify';
import { callerIdOf } from '../../control/principal.js';
import { ServiceError } from '../../errors.js';
import { mapYielding } from '../../platform/work/map-yielding.js';
import type { RecordDeps } from '../../records/deps.js';
import { withoutAbsent } from '../../records/draft/draft-records.js';
import { withIdempotency } from '../../records/write/recorder.js';
import type { AppDeps } from '../app.js';
import { recordDepsFor } from './record-deps-for.js';

/** `asked`: all values that determine the response. */
interface IdempotentRequest<Deps = Pick<AppDeps, 'running'>> {
  deps: Deps;
  request: FastifyRequest;
  asked: object;
  /** When the caller disconnects, a large record that still waits for its slot is not recorded. */
  signal?: AbortSignal;
}

/** The key of the stored response, and the digest of its request: SHA-256 in hex. */
export interface Keyed {
  scope: string;
  fingerprint: string;
}

/**
 * Runs a POST so that a repetition with the same `Idempotency-Key` gets the first response for 24 hours (draft
 * ietf-httpapi-idempotency-key-header-07). `run` must store the response in its transaction.
 */
export async function withIdempotencyKey<Answer>(
  { deps, request, asked }: IdempotentRequest,
  run: (keyed: Keyed | undefined) => Promise<Answer>,
): Promise<Answer> {
  const key = readKey(request.headers['idempotency-key']);
  if (key === undefined) return run(undefined);
  const { method, routeOptions, principal, actor } = request;
  const caller = principal === undefined ? actor?.userId : callerIdOf(principal);
  const scope = sha256(JSON.stringify([caller, method, routeOptions.url, key]));
  if (deps.running.has(scope)) {
    throw new ServiceError('Conflict', 'A request with this Idempotency-Key is still running.', {
      recovery: 'Wait for the response to the first request, or send the request again in a moment.',
      headers: { 'retry-after': '1' },
    });
  }
  deps.running.add(scope);
  try {
    return await run({ scope, fingerprint: await fingerprintOf(asked) });
  } finally {
    deps.running.delete(scope);
  }
}

/** SHA-256, in hex, of the canonical JSON of a request. Other requests run between the elements of long lists. */
export async function fingerprintOf(asked: object): Promise<string> {
  const hash = createHash('sha256');
  let separator = '{';
  for (const [name, value] of Object.entries(withoutAbsent(asked)).sort(([one], [other]) =>
    one < other ? -1 : 1,
  )) {
    hash.update(`${separator}${canonicalJson(name)}:`);
    separator = ',';
    if (!Array.isArray(value)) {
      hash.update(canonicalJson(value));
      continue;
    }
    hash.update('[');
    await mapYielding(value, (element, index) =>
      hash.update(`${index === 0 ? '' : ','}${canonicalJson(element ?? null)}`),
    );
    hash.update(']');
  }
  return hash.update(separator === '{' ? '{}' : '}').digest('hex');
}

/** The transaction of the recording stores the response. */
export function idempotently<Answer>(
  options: IdempotentRequest<Pick<AppDeps, 'records' | 'running'>>,
  run: (records: RecordDeps) => Promise<Answer>,
): Promise<Answer> {
  const records = recordDepsFor(options.deps, options.request, options.signal);
  return withIdempotencyKey(options, (keyed) =>
    run(keyed === undefined ? records : { ...records, recorder: withIdempotency(records.recorder, keyed) }),
  );
}

/** Checks the key of a request that changes nothing. Throws for a malformed key. A valid key has no effect. */
export function checkIdempotencyKey(request: FastifyRequest): void {
  readKey(request.headers['idempotency-key']);
}

/**
 * Throws if a request has a key and its response contains a secret, because the service does not store this response.
 */
export function refuseIdempotencyKey(request: FastifyRequest): void {
  if (request.headers['idempotency-key'] === undefined) return;
  throw new ServiceError(
    'ValidationError',
    'This operation does not accept an Idempotency-Key, because its answer contains a secret.',
    {
      recovery: 'Send the request without the header.',
      details: [{ path: 'Idempotency-Key', message: 'This operation does not accept the header' }],
    },
  );
}

/** The key is a bare or a quoted string (RFC 9651 §3.3.3). */
function readKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const [, quoted, bare] =
    /^(?:"([\x21\x23-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/.exec(String(header)) ?? [];
  const key = quoted ?? bare;
  if (key === undefined) {
    throw new ServiceError(
      'InvalidField',
      'Idempotency-Key must be 1 to 255 visible ASCII characters, without quotation marks inside.',
    );
  }
  return key;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
