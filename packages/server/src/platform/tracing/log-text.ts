const MAX_LENGTH = 200;

/**
 * Returns the beginning of a text from outside the service, as one line of at most 200 UTF-16 units for the log.
 * Replaces control characters, line breaks and invisible format characters with spaces.
 */
export function toLogText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, MAX_LENGTH);
}

/** The parts of an error that `describeError` shows. */
export interface LoggedError {
  message: string;
  code?: string;
  cause?: LoggedError;
}

const MAX_CAUSES = 3;

/**
 * Describes an error for the log by its message and code, and by those of up to three errors that caused it. Omits
 * other members, which can have text from a request.
 */
export function describeError(error: unknown, causes = MAX_CAUSES): LoggedError {
  if (!(error instanceof Error)) return { message: 'The error is no Error object.' };
  const { message, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    message: toLogText(message),
    ...(typeof code === 'string' && { code: toLogText(code) }),
    ...(cause instanceof Error && causes > 0 && { cause: describeError(cause, causes - 1) }),
  };
}
