import type { z } from 'zod';
import { ServiceError } from './errors.js';

/** 422 `ValidationError`; details name the faults with their paths. */
export function bodyFault(error: z.ZodError): ServiceError {
  const details = toDetails(error);
  const [first] = details;
  const message = `The body is not valid: ${first?.path || 'body'}: ${first?.message}`;
  return new ServiceError('ValidationError', message, { details });
}

interface Detail {
  path: string;
  message: string;
}

const MAX_DETAILS = 50;
const MAX_PATH_LENGTH = 300;
const MAX_NAME_LENGTH = 100;

/** The first faults; when there are more, a last entry says how many. */
export function toDetails({ issues }: z.ZodError): Detail[] {
  const all = issues.flatMap(toFaults);
  const shown = all
    .slice(0, MAX_DETAILS)
    .map(({ path, message }) => ({ path: path.slice(0, MAX_PATH_LENGTH), message }));
  const more = all.length - shown.length;
  return more === 0 ? shown : [...shown, { path: '', message: `and ${more} more faults` }];
}

function toFaults(issue: z.core.$ZodIssue): Detail[] {
  const path = issue.path.map(String).join('.');
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }];
  return issue.keys.map((key) => ({
    path: path === '' ? cut(key) : `${path}.${cut(key)}`,
    message: 'This field is not known',
  }));
}

/** What the caller made up need not come back whole. */
function cut(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}
