import { randomBytes } from 'node:crypto';
import type { Sealer } from './seal-secret.js';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** The stored form of a webhook's secrets. */
export interface SealedSecrets {
  id: string;
  sealedSecret: string;
  sealedOldSecret: string | null;
  oldSecretUntil: Date | null;
}

/** Creates a secret in the form that its receiver gets (Standard Webhooks, "Symmetric"). */
export function createWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export function toSigningKey(secret: string): Uint8Array {
  return Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
}

/**
 * Returns the context that a webhook's secret is sealed for. A sealed secret that is copied to the row of another
 * webhook cannot be opened.
 */
export function webhookSecretContext(webhookId: string): string {
  return `webhook ${webhookId} secret`;
}

/** Returns the current signing keys of webhook requests, newest first. Throws `Unavailable` when they cannot be opened. */
export function openSigningKeys(sealer: Sealer, row: SealedSecrets): Uint8Array[] {
  const isOldValid = row.sealedOldSecret !== null && (row.oldSecretUntil?.getTime() ?? 0) > Date.now();
  const sealed = isOldValid ? [row.sealedSecret, row.sealedOldSecret ?? ''] : [row.sealedSecret];
  return sealed.map((one) => toSigningKey(sealer.open(one, webhookSecretContext(row.id))));
}
