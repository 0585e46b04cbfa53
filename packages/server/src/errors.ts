import { ERROR_CODES, type ErrorCode } from '@colophon/model';

/** Optional members of an error besides its code and message. */
export interface ErrorExtras {
  /** The remedy for the caller; the remedy of the table by default. */
  recovery?: string;
  /** Machine-readable particulars; their shape depends on the code. */
  details?: unknown;
  /** One of the code's statuses; the first when absent. */
  status?: number;
  /** Headers that the code promises, such as `Allow`. */
  headers?: Record<string, string>;
  /** The variable that sets the bound which a refusal is for; counted, never shown. */
  bound?: string;
  /** The underlying error. It is logged and never shown. */
  cause?: unknown;
}

/** A failed operation, with a code of the table. Everything a caller may see of a failure is one of these. */
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
