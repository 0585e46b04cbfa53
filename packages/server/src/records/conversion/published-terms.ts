import { createHmac } from 'node:crypto';
import type { Publication, Withholdable } from '@colophon/model';

export interface PublicationSettings {
  id: string;
  projectId: string;
  cid: string;
  title: string | null;
  /** Contains `details` if it contains any other kind of data, or if `hiddenEntities` hides an entity. */
  withhold: readonly Withholdable[];
  hiddenEntities: Publication['hiddenEntities'];
  titles: boolean;
  /** Whether readers see a smaller copy of the picture. */
  picture: boolean;
  /** Whether readers see the terms of licences, even if `withhold` contains `details`. */
  license: boolean;
  pseudonymKey: Uint8Array;
  createdAt: Date;
  expiresAt: Date | null;
}

const REF_DIGITS = 16;

/** Each publication has its own pseudonyms. */
export function toRef({ pseudonymKey }: PublicationSettings, entityId: string): string {
  return createHmac('sha256', pseudonymKey).update(entityId).digest('hex').slice(0, REF_DIGITS);
}

export function isHidden({ hiddenEntities }: PublicationSettings, entityId: string): boolean {
  return hiddenEntities === 'all' || hiddenEntities.includes(entityId);
}
