interface Documented {
  paths?: Record<string, Record<string, OpenApiOperation>>;
  components?: object;
}

interface OpenApiOperation {
  security?: object[];
  responses?: Record<string, { headers?: Record<string, object> }>;
}

const TEXT = { type: 'string' } as const;
const COUNT = { type: 'integer', minimum: 0 } as const;

const HEADERS = {
  'X-RateLimit-Limit': {
    description:
      'Number of requests allowed in any 60 s: for the API key, or for the address in operations without a key',
    schema: COUNT,
  },
  'X-RateLimit-Remaining': {
    description: 'Number of requests that are left within this limit',
    schema: COUNT,
  },
  'X-RateLimit-Reset': {
    description:
      'Unix time in seconds at which the oldest counted request leaves the 60 s window, so that one more request is allowed',
    schema: COUNT,
  },
  RateLimit: {
    description: 'State of the limit, as defined by draft-ietf-httpapi-ratelimit-headers',
    schema: TEXT,
  },
  'RateLimit-Policy': {
    description: 'The limit, as defined by draft-ietf-httpapi-ratelimit-headers',
    schema: TEXT,
  },
  'Retry-After': { description: 'Seconds to wait before the next attempt', schema: COUNT },
  'WWW-Authenticate': { description: 'RFC 9110 §11.6.1', schema: TEXT },
  ETag: { description: 'Hash of the response, for `If-None-Match`', schema: TEXT },
  Link: {
    description: 'RFC 8288: link to the receipt of the new record (`rel="receipt"`)',
    schema: TEXT,
  },
} as const;

type Name = keyof typeof HEADERS;

const RATES: Name[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
];

/** Declares the headers of successful responses, and of errors that a caller can react to. */
export function declareHeaders<Document extends object>(document: Document): Document {
  const { paths = {}, components } = document as Documented;
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations))
      for (const [status, response] of Object.entries(operation.responses ?? {})) {
        const names = namesOf({ path, method, status, operation });
        if (names.length > 0)
          response.headers = Object.fromEntries(
            names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
          );
      }
  return { ...document, components: { ...components, headers: HEADERS } };
}

interface DocumentedResponse {
  path: string;
  method: string;
  status: string;
  operation: OpenApiOperation;
}

/** Operations without a key: the service counts their requests by address. */
const COUNTED =
  /^(?:get \/|get \/app\/api\/public\/.+|get \/public\/labels(?:\/\{icon\}\.svg)?|post \/public\/detect|(?:get|post) \/public\/c2pa\/.+|(?:post|put|delete) \/app\/api\/(?:session|accounts|invitation-checks|memberships|password))$/;
/** Operations whose responses link to a receipt. */
const RECORDING =
  /^(?:post|patch) \/(?:v1\/)?(?:entity|action|attribution|activity|v1\/mark|v1\/media\/(?:embed|import)|v1\/resource\/\{cid\}\/ownership)\b/;

function namesOf({ path, method, status, operation }: DocumentedResponse): Name[] {
  const { security = [], responses = {} } = operation;
  const hasKey = security.some((scheme) => 'apiKey' in scheme);
  const isGood = Number(status) < 400;
  const isCounted = hasKey || COUNTED.test(`${method} ${path}`);
  const isTagged = hasKey || '304' in responses || path.startsWith('/management/');
  const isRecord = RECORDING.test(`${method} ${path}`) && isGood;
  return [
    ...(isCounted && (isGood || status === '429') ? RATES : []),
    ...(['429', '503'].includes(status) ? (['Retry-After'] as const) : []),
    ...(status === '401' ? (['WWW-Authenticate'] as const) : []),
    ...(isTagged && method === 'get' && isGood && status !== '204' ? (['ETag'] as const) : []),
    ...(isRecord && hasKey ? (['Link'] as const) : []),
  ];
}
