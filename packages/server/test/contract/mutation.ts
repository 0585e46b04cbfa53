import fc from 'fast-check';

export interface Mutation {
  edits: Edit[];
  body: 'as edited' | { bytes: Uint8Array; at: number } | { cutAt: number } | { text: string };
  path: { at: number; text: string } | undefined;
  query: [string, string][] | undefined;
  method: string | undefined;
  headers: [string, string][];
  announced: number | undefined;
}

export interface Edit {
  /** Selects place `at % (n + 1)`, where `n` is the number of members and elements. The place `n` is the whole body. */
  at: number;
  how: 'replace' | 'remove' | 'add' | 'wrap';
  name: string;
  value: unknown;
}

const deep = (levels: number): unknown => JSON.parse(`${'{"a":['.repeat(levels)}1${']}'.repeat(levels)}`);

const HOSTILE_TEXTS = [
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\udfff\ud800',
    '\u202e',
    '\ufeff',
    '𝒳',
    'e\u0301',
    '\n',
    '\r\n',
    '\x7f',
  ],
  ...[
    '.',
    '..',
    '../../etc/passwd',
    '/',
    '\\',
    "'",
    '"',
    "'; drop table x; --",
    '{{x}}',
    '%',
    '%00',
    '*',
    '?',
  ],
  ...['null', 'NaN', '-0', '1e999', '0x10', '9'.repeat(400), '__proto__', 'constructor', 'toString'],
  ...[
    'create',
    'ext:',
    'ext:a@1.0.0',
    'ext:a:b',
    'ext:verification@1.0.0',
    'sha256:',
    `sha256:${'a'.repeat(64)}`,
  ],
  ...['Qm', 'bafy', 'z', 'm', 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'],
  ...['0198c0de-0000-7000-8000-000000000001', '00000000-0000-0000-0000-000000000000'],
  ...[
    '2026-02-30T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999999999Z',
    '+275760-09-13T00:00:00Z',
  ],
  ...['-000001-01-01T00:00:00Z', '2026-08-02T09:30:00+23:59', '0001-01-01T00:00:00+14:00'],
  ...['x'.repeat(257), 'x'.repeat(5_000), '\u00e4'.repeat(300), '1/0', '0/1', '1/3'],
];

const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
);

const hostileValue = fc.oneof(
  { weight: 3, arbitrary: hostileText },
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -0,
    -1,
    1.5,
    2 ** 53,
    -(2 ** 63),
    1e308,
    5e-324,
    [],
    {},
    [[]],
    [{}],
  ),
  fc.constantFrom<unknown>(
    deep(8),
    deep(40),
    Array(1001).fill('x'),
    { '\0': 1 },
    { a: '\ud800' },
    { $ref: '#' },
  ),
  fc.constantFrom<unknown>(JSON.parse('{"__proto__":{"x":1}}'), { constructor: { prototype: {} } }),
  fc.jsonValue({ maxDepth: 4 }),
);

const memberName = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    '',
    '\0',
    'id',
    'role',
    'extensions',
    'toJSON',
    'ext:a@1.0.0',
  ),
  hostileText,
);

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat({ max: 60 }),
  how: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'wrap'),
  name: memberName,
  value: hostileValue,
});

const BAD_UTF8 = [
  [0xff],
  [0xc3, 0x28],
  [0xed, 0xa0, 0x80],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
  [0],
  [0xef, 0xbb, 0xbf],
];

const JSON_TEXTS = [
  ...[
    '',
    ' ',
    '[]',
    'null',
    '1',
    '"x"',
    '{"a":1,"a":2}',
    '{"role":"ai","role":7}',
    '{,}',
    '{"a":1e999}',
    '[1e400]',
  ],
  ...[
    '{"__proto__":null,"role":"ai"}',
    '{"constructor":{"prototype":1}}',
    `${'['.repeat(20_000)}`,
    '{"a":"\\ud800"}',
  ],
  ...[
    `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
    `[${'9'.repeat(10_000)}]`,
    '\ufeff{}',
    '{"role":"\\u0000"}',
  ],
];

const body: fc.Arbitrary<Mutation['body']> = fc.oneof(
  { weight: 12, arbitrary: fc.constant('as edited' as const) },
  fc.record({
    bytes: fc.constantFrom(...BAD_UTF8.map((one) => Uint8Array.from(one))),
    at: fc.nat({ max: 400 }),
  }),
  fc.record({ cutAt: fc.nat({ max: 400 }) }),
  fc.record({ text: fc.constantFrom(...JSON_TEXTS) }),
);

const ENCODED = [
  ...[
    '%ff',
    '%00',
    '%',
    '%zz',
    '%c3%28',
    '%2e%2e',
    '..',
    '.',
    '',
    '%2f',
    '%5c',
    ';',
    ':',
    '*',
    '{id}',
    '%0a',
    '%20',
  ],
  ...[
    '%F0%9D%92%B3',
    'ä',
    'a b',
    '?',
    '#',
    '%ed%a0%80',
    'x'.repeat(300),
    'x'.repeat(1_100),
    '%61'.repeat(400),
  ],
];
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const encoded = fc.oneof(
  fc.constantFrom(...ENCODED),
  hostileText.map((text) => encodeURIComponent(text.replaceAll(LONE_SURROGATE, ''))),
);

const QUERY_NAMES = [
  ...[
    'limit',
    'cursor',
    'offset',
    'role',
    'type',
    'sessionId',
    'performedBy',
    'actionId',
    'entityId',
    'resourceCid',
  ],
  ...['direction', 'depth', 'nosuch', 'limit[]', 'limit[a]', '__proto__', 'constructor', '', '%ff'],
];

const forgedCursor = fc
  .tuple(
    fc.constantFrom('entities', 'actions', 'attributions'),
    fc.oneof(
      fc
        .tuple(
          fc.constantFrom('0000', '0001', '1970', '2023', '2024', '9999'),
          fc.constantFrom('01', '02', '04', '12', '13', '00'),
          fc.constantFrom('00', '01', '28', '29', '30', '31', '32'),
          fc.constantFrom('00:00:00', '23:59:59', '23:59:60', '24:00:00', '25:00:00'),
        )
        .map(([year, month, day, time]) => `${year}-${month}-${day}T${time}.000000Z`),
      hostileText,
    ),
    fc.oneof(fc.constant('0198c0de-0000-7000-8000-000000000001'), hostileText),
  )
  .map((position) => Buffer.from(JSON.stringify(position)).toString('base64url'));

const queryPair: fc.Arbitrary<[string, string]> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom(...QUERY_NAMES), encoded) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('cursor'), forgedCursor) },
);

const HEADERS: [string, fc.Arbitrary<string>][] = [
  [
    'accept',
    fc.constantFrom('*/*', 'text/html', 'application/json;q=0', ';', ',,,', 'a/b/c', 'application/json;q=x'),
  ],
  [
    'range',
    fc.constantFrom(
      'bytes=',
      'bytes=-',
      'bytes=0-',
      'bytes=-0',
      'bytes=5-2',
      'bytes=0-0,2-3',
      'bytes=99999999999999999999-',
      'lines=1',
      'bytes=-99999999999999999999',
    ),
  ],
  ['if-none-match', fc.constantFrom('*', '""', 'W/', '"', ',', '"a", *', 'x'.repeat(4_000))],
  ['if-range', fc.constantFrom('"x"', 'nonsense')],
  [
    'idempotency-key',
    fc.constantFrom('a', '"a"', '"', '', 'a b', 'ä', 'x'.repeat(300), '__proto__', '"a\\"b"'),
  ],
  [
    'content-type',
    fc.constantFrom(
      '',
      'x',
      'application/json; charset=utf-16',
      'application/json;',
      'text/plain',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      `multipart/form-data; boundary=${'b'.repeat(300)}`,
      'application/x-www-form-urlencoded',
      'APPLICATION/JSON',
      'application/merge-patch+json',
      '///',
    ),
  ],
  ['content-encoding', fc.constantFrom('gzip', 'identity', 'nonsense')],
  ['x-request-id', fc.constantFrom('ok-1', '', 'a b', 'x'.repeat(300), '__proto__')],
  ['x-forwarded-for', fc.constantFrom('1.2.3.4', 'nonsense', ',,,', '::1')],
  [
    'authorization',
    fc.constantFrom('Bearer', 'Bearer ', 'bearer x', 'Basic x', `Bearer ${'k'.repeat(3_000)}`, 'Bearer \x80'),
  ],
  ['origin', fc.constantFrom('null', 'https://x', 'nonsense')],
  ['prefer', fc.constantFrom('wait=5', 'wait=x', 'return=representation, wait=0', 'return')],
  ['x-http-method-override', fc.constant('DELETE')],
  ['expect', fc.constant('100-continue')],
];
const header: fc.Arbitrary<[string, string]> = fc.oneof(
  ...HEADERS.map(([name, value]) => value.map((text): [string, string] => [name, text])),
);

const METHODS = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'PROPFIND',
  'QUERY',
  'TRACE',
  'FOO',
  'get',
];

const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

/** Most mutations change one or two parts, so the unchanged parts pass their checks. */
export const mutation: fc.Arbitrary<Mutation> = fc.record({
  edits: fc.array(edit, { maxLength: 3 }),
  body,
  path: rarely(fc.record({ at: fc.nat({ max: 5 }), text: encoded })),
  query: rarely(fc.array(queryPair, { minLength: 1, maxLength: 3 })),
  method: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, fc.constantFrom(...METHODS)),
  headers: fc.oneof(
    { weight: 2, arbitrary: fc.constant<[string, string][]>([]) },
    fc.array(header, { minLength: 1, maxLength: 3 }),
  ),
  announced: fc.oneof({ weight: 40, arbitrary: fc.constant(undefined) }, fc.constantFrom(-3, -1, 3)),
});
