import { createHmac } from 'node:crypto';
import type { Publication, Withholdable } from '@colophon/model';

/** The fields that a project publishes, and those that it withholds. */
export interface PublicationSettings {
  id: string;
  projectId: string;
  cid: string;
  title: string | null;
  /** Holds `details` whenever anything else is withheld, or anybody hidden. */
  withhold: readonly Withholdable[];
  hiddenEntities: Publication['hiddenEntities'];
  /** Keys the pseudonyms. */
  pseudonymKey: Uint8Array;
  createdAt: Date;
  expiresAt: Date | null;
}

const REF_DIGITS = 16;

/** The pseudonym of an entity: the same in every answer of this publication, another in the next one. */
export function toRef({ pseudonymKey }: PublicationSettings, entityId: string): string {
  return createHmac('sha256', pseudonymKey).update(entityId).digest('hex').slice(0, REF_DIGITS);
}

/** Whether an entity is shown under its pseudonym alone. */
export function isHidden({ hiddenEntities }: PublicationSettings, entityId: string): boolean {
  return hiddenEntities === 'all' || hiddenEntities.includes(entityId);
}
