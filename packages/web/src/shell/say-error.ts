import { ApiError, NoAnswerError } from '@colophon/sdk';
import { shell } from '../strings/shell.js';

/** A failure as a sentence for a person, with the remedy where the service knows one. */
export function sayError(error: unknown): string {
  if (error instanceof ApiError) {
    return [error.message, error.recovery].filter((part) => part !== undefined).join(' ');
  }
  if (error instanceof NoAnswerError) return shell.noAnswer[error.reason];
  return error instanceof Error ? error.message : shell.unknownError;
}
