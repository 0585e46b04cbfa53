import { ERROR_CODES } from '@colophon/model';
import { ApiError, NoAnswerError } from '@colophon/sdk';
import { shell } from '../strings/shell.js';

/** A failure as a sentence for a person, with the remedy where the service knows one. */
export function sayError(error: unknown): string {
  if (error instanceof ApiError) {
    // The remedy of the table is for programs: it comes with a refused project key alone.
    if (error.code === 'Unauthorized' && error.recovery === ERROR_CODES.Unauthorized.remedy)
      return shell.key.stale;
    return [error.message, error.recovery].filter((part) => part !== undefined).join(' ');
  }
  if (error instanceof NoAnswerError) return shell.noAnswer[error.reason];
  return error instanceof Error ? error.message : shell.unknownError;
}

/** The same, for what was asked of a content that the address of the page names. */
export function sayContentError(error: unknown): string {
  const code = error instanceof ApiError ? error.code : undefined;
  if (code === 'NotFound') return shell.content.absent;
  return code === 'InvalidField' ? shell.content.malformed : sayError(error);
}
