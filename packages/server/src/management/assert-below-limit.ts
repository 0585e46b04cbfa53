import { LOCAL_ORG } from '../control/api-keys.sql.js';
import { ServiceError } from '../errors.js';
import type { Actor, TenantLimits } from './deps.js';

interface CountedThings {
  count: number;
  /** Beginning of the message, such as `This project has live publications`. */
  subject: string;
  /** Way to lower the count, such as `Delete a project that nobody uses`. */
  remedy: string;
}

/** Throws `Forbidden` when one more item would exceed the limit. */
export function assertBelowLimit(
  limits: TenantLimits,
  name: keyof TenantLimits,
  { count, subject, remedy }: CountedThings,
): void {
  const value = limits[name];
  if (count < value) return;
  throw new ServiceError('Forbidden', `${subject}: ${count}. At most ${value} are allowed (${name}).`, {
    recovery: `${remedy}, or ask the operator to raise ${name}.`,
    details: { limit: name, value },
  });
}

/** `recent`: items created in the last 24 hours, including deleted ones. */
export interface CreatedCounts {
  live: number;
  recent: number;
}

/** The limit on recent items bounds the growth of the table, because the rows of deleted items stay. */
export function assertMayCreate(
  limits: TenantLimits,
  name: keyof TenantLimits,
  { live, recent, subject, remedy }: CreatedCounts & Pick<CountedThings, 'subject' | 'remedy'>,
): void {
  assertBelowLimit(limits, name, { count: live, subject, remedy });
  assertBelowLimit(limits, name, {
    count: recent,
    subject: `${subject} created in the last 24 hours, including deleted ones`,
    remedy: 'Wait until the oldest of them is older than 24 hours',
  });
}

/** The operator has no limit on organisations and projects. */
export function isOperator({ userId }: Actor): boolean {
  return userId === LOCAL_ORG.ownerId;
}
