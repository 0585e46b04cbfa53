import { ERROR_CODES } from '@colophon/model';
import { ApiError, NoAnswerError } from '@colophon/sdk';
import { shell } from '../strings/shell.js';

/** An error as a sentence for a person, with the remedy if the service knows one. */
export function sayError(error: unknown): string {
  if (error instanceof ApiError) {
    // The remedy is written for programs, so it is shown for a rejected project key alone.
    if (error.code === 'Unauthorized' && error.recovery === ERROR_CODES.Unauthorized.remedy)
      return shell.key.stale;
    return [error.message, error.recovery].filter((part) => part !== undefined).join(' ');
  }
  if (error instanceof NoAnswerError) return shell.noAnswer[error.reason];
  return error instanceof Error ? error.message : shell.unknownError;
}

/** The same for a request about the content in the address of the page. */
export function sayContentError(error: unknown): string {
  const code = error instanceof ApiError ? error.code : undefined;
  if (code === 'NotFound') return shell.content.absent;
  return code === 'InvalidField' ? shell.content.malformed : sayError(error);
}
