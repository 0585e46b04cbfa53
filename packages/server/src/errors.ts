import { ERROR_CODES, type ErrorCode } from '@colophon/model';

/** Optional members of an error besides its code and message. */
export interface ErrorExtras {
  /** The remedy for the caller; by default the one in the error table. */
  recovery?: string;
  /** Machine-readable particulars; their shape depends on the code. */
  details?: unknown;
  /** One of the code's statuses; the first when absent. */
  status?: number;
  /** Headers that the code promises, such as `Allow`. */
  headers?: Record<string, string>;
  /** The environment variable of the exceeded limit. It is counted in metrics and never sent. */
  bound?: string;
  /** The underlying error. It is logged and never shown. */
  cause?: unknown;
}

/** A failed operation, with a code of the table. Callers see failures only in this form. */
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
