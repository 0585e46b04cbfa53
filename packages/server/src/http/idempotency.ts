import { createHash } from 'node:crypto';
import { canonicalJson } from '@colophon/model';
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.js';
import { withoutAbsent } from '../records/draft-records.js';
import type { RecordNeeds } from '../records/needs.js';
import { withIdempotency } from '../records/recorder.js';
import type { AppNeeds } from './app.js';
import { recordsOf } from './records-of.js';

/** The request that may carry an Idempotency-Key, and what it asks for in full. */
interface Asked {
  needs: AppNeeds;
  request: FastifyRequest;
  asked: object;
}

/**
 * Runs a POST so that a repetition with the same `Idempotency-Key` gets the first answer for 24 hours (draft
 * ietf-httpapi-idempotency-key-header-07). The same key with another request is 422; while the first still runs,
 * 409. The answer is kept in the recording's own transaction.
 */
export async function idempotently<Answer>(
  { needs, request, asked }: Asked,
  run: (records: RecordNeeds) => Promise<Answer>,
): Promise<Answer> {
  const key = readKey(request.headers['idempotency-key']);
  const records = recordsOf(needs, request);
  if (key === undefined) return run(records);
  const { method, routeOptions, holder } = request;
  const scope = sha256(JSON.stringify([holder?.keyId, method, routeOptions.url, key]));
  if (needs.running.has(scope)) {
    throw new ServiceError('Conflict', 'A request with this Idempotency-Key is still running.', {
      recovery: 'Wait for its answer, or send the request again in a moment.',
    });
  }
  needs.running.add(scope);
  try {
    const fingerprint = sha256(canonicalJson(withoutAbsent(asked)));
    const recorder = withIdempotency(records.recorder, { scope, fingerprint });
    return await run({ ...records, recorder });
  } finally {
    needs.running.delete(scope);
  }
}

/** The key, bare or as a quoted string (RFC 9651 §3.3.3). */
function readKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const [, quoted, bare] =
    /^(?:"([\x21\x23-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/.exec(String(header)) ?? [];
  const key = quoted ?? bare;
  if (key === undefined) {
    throw new ServiceError('InvalidField', 'Idempotency-Key takes 1 to 255 visible ASCII characters.');
  }
  return key;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
