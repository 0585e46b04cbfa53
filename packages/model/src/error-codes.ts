/** The entry of one error code in the table. `statuses[0]` is the usual HTTP status. */
export interface ErrorCodeEntry {
  readonly statuses: readonly [number, ...number[]];
  readonly meaning: string;
  readonly remedy: string;
}

/**
 * All error codes. The table determines the HTTP status, the documentation and the client types. RFC 9110 defines
 * the statuses, and RFC 6585 defines 429 and 431.
 */
export const ERROR_CODES = {
  MissingField: {
    statuses: [400],
    meaning: 'A header or a multipart part that the operation needs is absent.',
    remedy: 'Send the header or part that the message names.',
  },
  InvalidField: {
    statuses: [400],
    meaning: 'The JSON or multipart body cannot be read, or a path, query or cursor value is malformed.',
    remedy:
      'Correct the value that the message names. GET /openapi.json describes the input of each operation.',
  },
  ValidationError: {
    statuses: [422],
    meaning: 'The JSON body does not match its schema.',
    remedy: 'Correct the members in `details`, which has one entry with a path for each problem.',
  },
  Unauthorized: {
    statuses: [401],
    meaning: 'The API key is absent, unknown, expired or revoked.',
    remedy: 'Send `Authorization: Bearer <API key>` with a valid key of the project.',
  },
  Forbidden: {
    statuses: [403],
    meaning: 'The caller is authenticated but lacks the permission for this operation.',
    remedy: 'Use a key with the permission named in the message.',
  },
  NotFound: {
    statuses: [404],
    meaning: 'The project does not contain the requested object.',
    remedy: 'Check the id, for example with GET /v1/entities. Records of other projects also return 404.',
  },
  MethodNotAllowed: {
    statuses: [405],
    meaning: 'The path exists, but it does not support the method.',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  NotAcceptable: {
    statuses: [406],
    meaning: 'The service cannot answer in a media type that `Accept` allows.',
    remedy: 'Send `Accept: application/json` or leave `Accept` out.',
  },
  Duplicate: {
    statuses: [409],
    meaning: 'The project already contains a recording of exactly these bytes.',
    remedy: 'Use `details.cid` as the content id of these bytes; do not record them again.',
  },
  Conflict: {
    statuses: [409],
    meaning: 'The request contradicts stored data.',
    remedy: 'Compare the request with `details`, which lists the differences.',
  },
  Timeout: {
    statuses: [408, 504],
    meaning: 'The service did not receive or process the request in time.',
    remedy: 'Try again. Send large bodies over a faster connection.',
  },
  PayloadTooLarge: {
    statuses: [413],
    meaning: 'The body is larger than this service accepts.',
    remedy: 'Send less, or ask the operator to raise the limit that the message names.',
  },
  UriTooLong: {
    statuses: [414],
    meaning: 'The request target is too long.',
    remedy: 'Shorten the path or query.',
  },
  Unsupported: {
    statuses: [415],
    meaning: 'The operation does not support the media type of the body.',
    remedy:
      'Send the content type that the message names. GET /openapi.json describes the input of each operation.',
  },
  RangeNotSatisfiable: {
    statuses: [416],
    meaning: 'The requested range lies outside the content.',
    remedy: 'Request a range inside the size in `Content-Range`.',
  },
  HeadersTooLarge: {
    statuses: [431],
    meaning: 'The request headers are too large.',
    remedy: 'Send fewer or shorter headers.',
  },
  TooManyRequests: {
    statuses: [429],
    meaning: 'The rate limit is exceeded.',
    remedy: 'Wait for the number of seconds in `Retry-After`, then try again.',
  },
  EmbeddingFailed: {
    statuses: [502],
    meaning: 'The embedding provider failed.',
    remedy: 'Try again later.',
  },
  Unavailable: {
    statuses: [503],
    meaning: 'A component that this operation needs is not available.',
    remedy: 'Try again later. The message names the component.',
  },
  Internal: {
    statuses: [500],
    meaning: 'The service failed with an unexpected error.',
    remedy: 'Report the request id to the operator.',
  },
} as const satisfies Record<string, ErrorCodeEntry>;

/** An error code of the service. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** The body of an error response. */
export interface ErrorBody {
  error: { code: ErrorCode; message: string; recovery?: string; details?: unknown; requestId: string };
}
