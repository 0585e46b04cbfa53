import { ApiError, NoAnswerError } from '@colophon/sdk';

/** Asks for 204 in place of 404, because browsers report each 404 as an error of the page. */
export const ABSENT_AS_NO_CONTENT = { prefer: 'absent=no-content' };

const NO_CONTENT = 204;

/** The SDK also throws an error for a 204, because it expects JSON. */
export function isAbsent(error: unknown): boolean {
  if (error instanceof NoAnswerError) return error.status === NO_CONTENT;
  return error instanceof ApiError && error.code === 'NotFound';
}
