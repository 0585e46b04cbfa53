import { ERROR_CODES, type ErrorCode } from '@colophon/model';

export interface ErrorExtras {
  /** The default is in the error table. */
  recovery?: string;
  /** Machine-readable details. Their shape depends on the code. */
  details?: unknown;
  /** One of the statuses that the error table has for the code. The default is the first of them. */
  status?: number;
  /** Headers that the error table requires for the code, such as `Allow`. */
  headers?: Record<string, string>;
  /** Name of the environment variable whose limit was exceeded, for metrics. Callers do not receive it. */
  bound?: string | undefined;
  /** The underlying error, for the log. Callers do not receive it. */
  cause?: unknown;
}

/** Callers receive every error in this form. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly recovery: string;
  readonly details: unknown;
  readonly headers: Record<string, string>;
  readonly bound: string | undefined;

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.status = extras.status ?? ERROR_CODES[code].statuses[0];
    this.recovery = extras.recovery ?? ERROR_CODES[code].remedy;
    this.details = extras.details;
    this.headers = extras.headers ?? {};
    this.bound = extras.bound;
  }
}
