/** What the table says of one error code. `statuses[0]` is the usual HTTP status. */
export interface ErrorCodeEntry {
  readonly statuses: readonly [number, ...number[]];
  readonly meaning: string;
  readonly remedy: string;
}

/**
 * The closed table of error codes. It drives the HTTP status, the documentation and the client types.
 * Statuses are those of RFC 9110, and RFC 6585 for 429 and 431.
 */
export const ERROR_CODES = {
  MissingField: {
    statuses: [400],
    meaning: 'A header or a multipart part that the operation needs is absent.',
    remedy: 'Send the named header or part.',
  },
  InvalidField: {
    statuses: [400],
    meaning: 'The JSON or multipart body cannot be read, or a path, query or cursor value is malformed.',
    remedy: 'Send what the message asks for; GET /openapi.json lists what each operation takes.',
  },
  ValidationError: {
    statuses: [422],
    meaning: 'The JSON body does not fit its schema.',
    remedy: 'See details: one entry per fault, with its path.',
  },
  Unauthorized: {
    statuses: [401],
    meaning: 'The API key is absent, unknown, expired or revoked.',
    remedy: 'Send `Authorization: Bearer <API key>` with a live key of the project.',
  },
  Forbidden: {
    statuses: [403],
    meaning: 'The caller is known but may not do this.',
    remedy: 'Use a key with the permission named in the message.',
  },
  NotFound: {
    statuses: [404],
    meaning: 'There is no such thing in this project.',
    remedy: 'Check the id, for example with GET /v1/entities. Records of other projects answer 404 too.',
  },
  MethodNotAllowed: {
    statuses: [405],
    meaning: 'The path exists, the method does not.',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  NotAcceptable: {
    statuses: [406],
    meaning: 'The answer cannot be given in a media type that `Accept` allows.',
    remedy: 'Ask for application/json or leave `Accept` out.',
  },
  Duplicate: {
    statuses: [409],
    meaning: 'These very bytes are already recorded in this project.',
    remedy: 'Use `details.cid` as an input; no new recording is needed.',
  },
  Conflict: {
    statuses: [409],
    meaning: 'The request contradicts what is stored.',
    remedy: 'See details for what differs.',
  },
  Timeout: {
    statuses: [408, 504],
    meaning: 'The request was not received, or not processed, in time.',
    remedy: 'Try again; send large bodies over a faster connection.',
  },
  PayloadTooLarge: {
    statuses: [413],
    meaning: 'The body is larger than this service accepts.',
    remedy: 'Send less, or have the operator raise the limit that the message names.',
  },
  UriTooLong: {
    statuses: [414],
    meaning: 'The request target is too long.',
    remedy: 'Shorten the path or query.',
  },
  Unsupported: {
    statuses: [415],
    meaning: 'The media type of the body is not supported here.',
    remedy:
      'Send the content type that the message names; GET /openapi.json lists what each operation takes.',
  },
  RangeNotSatisfiable: {
    statuses: [416],
    meaning: 'The requested range lies outside the content.',
    remedy: 'Ask for a range inside the size given in `Content-Range`.',
  },
  HeadersTooLarge: {
    statuses: [431],
    meaning: 'The request headers are too large.',
    remedy: 'Send fewer or shorter headers.',
  },
  TooManyRequests: {
    statuses: [429],
    meaning: 'The rate limit is exceeded.',
    remedy: 'Wait for the seconds in `Retry-After`.',
  },
  EmbeddingFailed: {
    statuses: [502],
    meaning: 'The embedding provider failed.',
    remedy: 'Try again later, or record without a description.',
  },
  Unavailable: {
    statuses: [503],
    meaning: 'A part that this operation needs is not available.',
    remedy: 'Try again later; the message names the part.',
  },
  Internal: {
    statuses: [500],
    meaning: 'The service failed in a way it did not foresee.',
    remedy: 'Report the request id to the operator.',
  },
} as const satisfies Record<string, ErrorCodeEntry>;

/** One code of the table. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** The one error shape on the wire. */
export interface ErrorBody {
  error: { code: ErrorCode; message: string; recovery?: string; details?: unknown; requestId: string };
}
