import type { VerifyToken } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { createTimeStampClient, type TimeStampFetch } from '../../media/signing/time-stamp.js';

/** `time`: RFC 3339. */
export interface SignedToken {
  token: Uint8Array;
  time: string;
}

export interface AuthorityDeps {
  url: string;
  verifyToken: VerifyToken;
  stopping: AbortSignal;
}

/** The authority does not respond, or its response is not a valid token. */
export class AuthorityError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AuthorityError';
  }
}

/** Requests a time-stamp of the data (RFC 3161), and verifies the token. Rejects with AuthorityError. */
export async function requestToken(
  { url, verifyToken, stopping }: AuthorityDeps,
  data: Uint8Array,
): Promise<SignedToken> {
  const stoppable: TimeStampFetch = (address, { signal, ...request }) =>
    fetch(address, { ...request, redirect: 'error', signal: AbortSignal.any([signal, stopping]) });
  const token = await createTimeStampClient(url, stoppable)(data).catch(toAuthorityError);
  const report = await verifyToken(token, data);
  if (report.verified) return { token, time: report.time };
  throw new AuthorityError(`The authority at TSA_URL sent an invalid token: ${report.code}.`);
}

function toAuthorityError(cause: unknown): never {
  if (!(cause instanceof ServiceError)) throw cause;
  const reason = cause.cause instanceof Error ? ` (${cause.cause.message})` : '';
  throw new AuthorityError(`${cause.message}${reason}`, { cause });
}
