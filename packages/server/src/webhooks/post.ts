import { createHmac } from 'node:crypto';
import { AddressRefusedError, type GuardedFetch } from '../platform/net/guarded-fetch.js';
import { UnknownNameError } from '../platform/net/name-resolver.js';

/** Without `error`, the event was delivered. */
export interface PostOutcome {
  status?: number;
  error?: string;
}

export interface WebhookRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  signal: AbortSignal;
}

const ANSWER_MS = 10_000;

/** Does not follow redirects or read the response body, so an endpoint cannot redirect the service or keep it busy. */
export async function post(fetch: GuardedFetch['fetch'], request: WebhookRequest): Promise<PostOutcome> {
  const { url, headers, body, signal } = request;
  const timeout = AbortSignal.timeout(ANSWER_MS);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Colophon', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    });
    await answer.body?.cancel();
    const { status, ok } = answer;
    return ok
      ? { status }
      : { status, error: `the endpoint responded with status ${status}; only 2xx is accepted` };
  } catch (error) {
    return {
      error: timeout.aborted ? `the endpoint did not respond within ${ANSWER_MS / 1000} s` : describe(error),
    };
  }
}

/** The text is the same for an unknown and for an internal host, so that projects cannot find internal hosts. */
function describe(error: unknown): string {
  const cause = (error as Error).cause ?? error;
  if (error instanceof AddressRefusedError || cause instanceof UnknownNameError)
    return 'the host name has no address that this service may connect to';
  const { code } = cause as { code?: unknown };
  return typeof code === 'string' ? `could not be reached (${code})` : 'could not be reached';
}

/** Returns the headers of Standard Webhooks 1.0.0, with one signature per key. */
export function signMessage(
  keys: readonly Uint8Array[],
  { id, body }: { id: string; body: string },
  at: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
