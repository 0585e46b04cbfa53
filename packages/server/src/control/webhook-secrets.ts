import { randomBytes } from 'node:crypto';
import type { Sealer } from './seal-secret.js';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export interface SealedSecrets {
  id: string;
  sealedSecret: string;
  sealedOldSecret: string | null;
  oldSecretUntil: Date | null;
}

/** The format of Standard Webhooks, section "Symmetric". */
export function createWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export function toSigningKey(secret: string): Uint8Array {
  return Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
}

/** A secret that is copied to the row of another webhook cannot be decrypted. */
export function webhookSecretContext(webhookId: string): string {
  return `webhook ${webhookId} secret`;
}

/** Returns the valid signing keys, newest first. Throws `Unavailable` when a secret cannot be decrypted. */
export function openSigningKeys(sealer: Sealer, row: SealedSecrets): Uint8Array[] {
  const isOldValid = row.sealedOldSecret !== null && (row.oldSecretUntil?.getTime() ?? 0) > Date.now();
  const sealed = isOldValid ? [row.sealedSecret, row.sealedOldSecret ?? ''] : [row.sealedSecret];
  return sealed.map((one) => toSigningKey(sealer.open(one, webhookSecretContext(row.id))));
}
