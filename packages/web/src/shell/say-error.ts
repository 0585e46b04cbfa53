import { ERROR_CODES } from '@colophon/model';
import { ApiError, NoAnswerError } from '@colophon/sdk';
import { shell } from '../strings/shell.js';
import { isAbsent } from './absent-content.js';
import { reportRejection } from './rejection.js';

/**
 * Says an error, with the remedy of the service. Also reports a rejected session or key, so that the page asks for a
 * new sign-in.
 */
export function sayError(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.code === 'Unauthorized') reportRejection();
    // The default remedy for Unauthorized is for programmers.
    if (error.code === 'Unauthorized' && error.recovery === ERROR_CODES.Unauthorized.remedy)
      return shell.key.stale;
    // The default remedy for ValidationError refers to `details`, which the page does not show.
    const isForPrograms =
      error.code === 'ValidationError' && error.recovery === ERROR_CODES.ValidationError.remedy;
    const remedy = isForPrograms ? undefined : error.recovery;
    return [error.message, remedy].filter((part) => part !== undefined).join(' ');
  }
  if (error instanceof NoAnswerError) return shell.noAnswer[error.reason];
  return error instanceof Error ? error.message : shell.unknownError;
}

/** Says the error of a request about the content in the address of the page. */
export function sayContentError(error: unknown): string {
  if (isAbsent(error)) return shell.content.absent;
  return error instanceof ApiError && error.code === 'InvalidField'
    ? shell.content.malformed
    : sayError(error);
}
