import multipart from '@fastify/multipart';
import fc from 'fast-check';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { streamForm } from '../../src/http/wire/streamed-form.js';
import { splitForm } from '../../src/http/wire/whole-form.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 500);
const LIMITS = { fileBytes: 2 ** 20, fieldBytes: 2 ** 20, files: 102 };
const BOUNDARY = 'x-9';
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

interface Sent {
  name: string;
  bytes: Buffer;
  filename?: string;
  type?: string;
}

/** The layout of HTTP libraries. */
function toBody(parts: readonly Sent[]): Buffer {
  const written = parts.flatMap(({ name, bytes, filename, type }) => [
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`),
    Buffer.from(filename === undefined ? '' : `; filename="${filename}"`),
    Buffer.from(type === undefined ? '' : `\r\nContent-Type: ${type}`),
    Buffer.from('\r\n\r\n'),
    bytes,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...written, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

const TOKENS = [
  ...[
    '\r\n',
    '\n',
    '\r',
    '--',
    '-',
    BOUNDARY,
    `--${BOUNDARY}`,
    `\r\n--${BOUNDARY}`,
    `--${BOUNDARY}--`,
    '\r\n\r\n',
  ],
  ...[
    'Content-Disposition: form-data; name="file"; filename="a"',
    'Content-Type: ',
    ';',
    ':',
    '"',
    '\\',
    ' ',
    '\t',
  ],
  ...['name=', 'filename=', 'filename*=', 'json', 'file', '__proto__', 'constructor', '\0', '\xff', 'a'],
];
const token = fc.constantFrom(...TOKENS).map((text) => Buffer.from(text, 'latin1'));
const content = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  fc.array(token, { maxLength: 4 }).map((tokens) => Buffer.concat(tokens)),
);
const filename = fc.constantFrom('a.png', '', 'ä', '../x', 'a;b', "it's", '%41');
const type = fc.constantFrom('text/plain', 'application/json', 'text/plain; charset=utf-16le', 'x');
const usualPart = fc.record({
  name: fc.constantFrom('file', 'json', 'ingredient.1'),
  bytes: content,
  filename,
});
const oddPart = fc.record(
  {
    name: fc.constantFrom('file', 'json', 'toString', '__proto__', 'a b', 'ä', ''),
    bytes: content,
    filename,
    type,
  },
  { requiredKeys: ['name', 'bytes'] },
) as fc.Arbitrary<Sent>;
const part: fc.Arbitrary<Sent> = fc.oneof({ weight: 4, arbitrary: usualPart }, oddPart);
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.integer({ min: 0, max: 12 }),
  added: fc.oneof(fc.constant(Buffer.alloc(0)), token),
});

function spoil(body: Buffer, changes: readonly { at: number; removed: number; added: Buffer }[]): Buffer {
  return changes.reduce((spoiled, { at, removed, added }) => {
    const place = Math.floor(at * spoiled.length);
    return Buffer.concat([spoiled.subarray(0, place), added, spoiled.subarray(place + removed)]);
  }, body);
}

describe('the parser of whole forms', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    app = Fastify();
    await app.register(multipart, { throwFileSizeLimit: false });
    app.post('/', async (request) => {
      const parts = [];
      for await (const sent of streamForm(request, LIMITS)) {
        if (!('bytes' in sent)) return { text: sent.name };
        const chunks: Uint8Array[] = [];
        for await (const chunk of sent.bytes) chunks.push(chunk);
        parts.push({ name: sent.name, hex: Buffer.concat(chunks).toString('hex') });
      }
      return { parts };
    });
  });
  afterAll(() => app.close());

  async function stream(body: Buffer, type = TYPE): Promise<unknown> {
    const answer = await app.inject({
      method: 'POST',
      url: '/',
      payload: body,
      headers: { 'content-type': type },
    });
    return answer.statusCode === 200 ? answer.json() : { refused: answer.statusCode };
  }
  const split = (body: Buffer, type = TYPE) => {
    const parts = splitForm(body, type);
    return parts && { parts: parts.map(({ name, bytes }) => ({ name, hex: bytes.toString('hex') })) };
  };

  it('finds the same parts as the multipart parser, or none, also in damaged forms', async () => {
    let count = 0;
    const form = fc.array(part, { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(form, fc.array(change, { maxLength: 3 }), async (parts, changes) => {
        const body = spoil(toBody(parts), changes);
        const found = split(body);
        if (found === undefined) return;
        count++;
        expect(await stream(body)).toEqual(found);
      }),
      { numRuns: RUNS },
    );
    expect(count).toBeGreaterThan(RUNS / 10);
  });

  it.each([
    [TYPE, true],
    [`multipart/form-data; boundary="${BOUNDARY}"`, true],
    [`Multipart/Form-Data;boundary=${BOUNDARY}`, true],
    [`multipart/form-data; charset=utf-8; boundary=${BOUNDARY}`, false],
    [`multipart/form-data; boundary=${BOUNDARY}; charset=utf-8`, false],
    [`multipart/form-data; boundary=${BOUNDARY} `, false],
    [`multipart/mixed; boundary=${BOUNDARY}`, false],
    ['multipart/form-data', false],
  ])('accepts `multipart/form-data` with only a boundary; accepts %s: %s', async (type, isSplit) => {
    const body = toBody([{ name: 'file', bytes: Buffer.from('bytes'), filename: 'a' }]);
    expect(split(body, type) !== undefined).toBe(isSplit);
    if (isSplit) expect(split(body, type)).toEqual(await stream(body, type));
  });

  it('does not parse a form with eleven parts, a text part, no headers, a long header or a padded delimiter', () => {
    const file = { name: 'file', bytes: Buffer.from('bytes'), filename: 'a' };
    expect(split(toBody(Array(10).fill(file)))).toBeDefined();
    expect(split(toBody(Array(11).fill(file)))).toBeUndefined();
    expect(split(toBody([{ name: 'text', bytes: file.bytes }]))).toBeUndefined();
    expect(split(toBody([{ ...file, filename: 'a'.repeat(2000) }]))).toBeUndefined();
    const text = toBody([file]).toString();
    expect(split(Buffer.from(text.replace('\r\n', 'ab')))).toBeUndefined();
    expect(split(Buffer.from(text.replace(BOUNDARY, `${BOUNDARY} `)))).toBeUndefined();
    expect(split(Buffer.from(`--${BOUNDARY}\r\n\r\nbytes\r\n--${BOUNDARY}--`))).toBeUndefined();
  });
});
