import type { z } from 'zod';
import { type ErrorExtras, ServiceError } from './errors.js';

export function parseBody<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw bodyFault(parsed.error, value);
  return parsed.data;
}

/** Creates the error `ValidationError` (422). */
export function bodyFault(error: z.ZodError, input: unknown): ServiceError {
  return invalidBody(toDetails(error, input));
}

export function invalidBody(
  details: readonly Detail[],
  extras: Pick<ErrorExtras, 'recovery'> = {},
): ServiceError {
  const [first] = details;
  const message = `The body is not valid: ${first?.path || 'body'}: ${first?.message}`;
  return new ServiceError('ValidationError', message, { ...extras, details });
}

export interface Detail {
  path: string;
  message: string;
  /** True when the check stopped early, so that more problems may exist. */
  truncated?: true;
}

const MAX_DETAILS = 50;
const MAX_PATH_LENGTH = 300;
const MAX_NAME_LENGTH = 100;

/** If there are more problems than `MAX_DETAILS`, a last entry states the number of the others. */
export function toDetails({ issues }: z.ZodError, input: unknown): Detail[] {
  const shown = issues
    .slice(0, MAX_DETAILS)
    .flatMap((issue) => toFaults(issue, input))
    .slice(0, MAX_DETAILS)
    .map(({ path, message }) => ({ path: path.slice(0, MAX_PATH_LENGTH), message }));
  const more = issues.reduce((sum, issue) => sum + countFaults(issue), 0) - shown.length;
  return more === 0 ? shown : [...shown, { path: '', message: `and ${more} more problems` }];
}

function countFaults(issue: z.core.$ZodIssue): number {
  return issue.code === 'unrecognized_keys' ? issue.keys.length : 1;
}

function toFaults(issue: z.core.$ZodIssue, input: unknown): Detail[] {
  const path = issue.path.map(String).join('.');
  if (issue.code !== 'unrecognized_keys') {
    const isMissing = OF_ABSENT.includes(issue.code) && isAbsent(input, issue.path);
    return [{ path, message: isMissing ? missing(issue.message) : issue.message }];
  }
  return issue.keys.map((key) => ({
    path: path === '' ? cut(key) : `${path}.${cut(key)}`,
    message: 'This field is not known',
  }));
}

/** Codes that zod uses both for a missing value and for a wrong value. */
const OF_ABSENT: readonly string[] = ['invalid_type', 'invalid_value', 'invalid_union'];

function isAbsent(input: unknown, path: readonly PropertyKey[]): boolean {
  let value = input;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return false;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value === undefined;
}

/** Turns `Invalid input: expected string, received undefined` into `Missing: expected string`. */
function missing(message: string): string {
  const expected = message.replace(/^Invalid \w+: /, '').replace(/, received undefined$/, '');
  return `Missing: ${expected.charAt(0).toLowerCase()}${expected.slice(1)}`;
}

function cut(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}
