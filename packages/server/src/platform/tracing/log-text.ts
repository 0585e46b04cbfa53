const MAX_LENGTH = 200;

/** Returns a text from outside the service as one line of at most 200 UTF-16 units, without control characters. */
export function toLogText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, MAX_LENGTH);
}

export interface LoggedError {
  message: string;
  code?: string;
  cause?: LoggedError;
}

const MAX_CAUSES = 3;

/** Omits members other than message, code and cause: they can contain text of a request. */
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
