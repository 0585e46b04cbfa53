import { createHmac } from 'node:crypto';

/** Returns the headers that authenticate a request (Standard Webhooks 1.0.0), with a signature of each key. */
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
