import { ApiError, NoAnswerError } from '@colophon/sdk';

/**
 * Headers that ask the service for 204 in place of 404 for an unknown history or thumbnail, because browsers report
 * each 404 as an error of the page.
 */
export const ABSENT_AS_NO_CONTENT = { prefer: 'absent=no-content' };

const NO_CONTENT = 204;

/**
 * Whether an error means that the service does not know the requested content. The SDK also throws an error for a 204,
 * because it expects JSON.
 */
export function isAbsent(error: unknown): boolean {
  if (error instanceof NoAnswerError) return error.status === NO_CONTENT;
  return error instanceof ApiError && error.code === 'NotFound';
}
