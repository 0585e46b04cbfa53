import { ServiceError } from '../errors.js';
import { isDuplicate, type Tx } from '../platform/db/database.js';

/** `scope`: hash of caller, method, route and Idempotency-Key. `fingerprint`: hash of the content. SHA-256 in hex. */
export interface KeyedRequest {
  scope: string;
  fingerprint: string;
}

const IS_EXPIRED = `at < now() - interval '24 hours'`;
const MOST_DELETED = 16;

/** Responses expire after 24 hours. Throws `ValidationError` if another request has used the Idempotency-Key. */
export async function readKeptAnswer(
  tx: Tx,
  { scope, fingerprint }: KeyedRequest,
): Promise<{ answer: unknown } | undefined> {
  // Deletes only a few expired rows, because one project can have stored many large responses. Skips locked rows, so
  // that this request does not wait for other transactions.
  await tx.query(
    `delete from control.idempotency where ${IS_EXPIRED} and (scope = decode($1, 'hex') or scope in (
       select scope from control.idempotency where ${IS_EXPIRED} limit ${MOST_DELETED} for update skip locked))`,
    [scope],
  );
  const [row] = await tx.query<{ same: boolean; answer: string }>(
    `select fingerprint = decode($2, 'hex') as same, answer from control.idempotency
     where scope = decode($1, 'hex')`,
    [scope, fingerprint],
  );
  if (row === undefined) return undefined;
  if (row.same) return { answer: JSON.parse(row.answer) };
  throw new ServiceError('ValidationError', 'This Idempotency-Key was used for another request.', {
    recovery: 'Use a new Idempotency-Key for a new request.',
  });
}

/** Throws `Conflict` when another request with this Idempotency-Key ended at the same time. */
export async function keepAnswer(
  tx: Tx,
  { scope, fingerprint }: KeyedRequest,
  answer: unknown,
): Promise<void> {
  try {
    await tx.query(
      `insert into control.idempotency (scope, fingerprint, answer)
       values (decode($1, 'hex'), decode($2, 'hex'), $3)`,
      [scope, fingerprint, JSON.stringify(answer)],
    );
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw new ServiceError('Conflict', 'Another request with this Idempotency-Key ended at the same time.', {
      cause: error,
      recovery:
        'Send the request again. If the other request was identical, you get its response. Otherwise, use a new Idempotency-Key.',
      headers: { 'retry-after': '1' },
    });
  }
}
