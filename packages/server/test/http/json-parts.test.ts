import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ANY_ENGINE, type Service, startService } from '../support/service.js';

/** The service receives a form up to this size completely, and streams a larger one. */
const WHOLE_FORM_BYTES = 2 ** 18;

/** With `JSON.parse`, the service would read another value than the caller sent. */
const ABUSES: [string, Uint8Array, string][] = [
  [
    'a member that is named twice',
    Buffer.from('{"entity":{},"entity":{"role":"ai"}}'),
    '400 An object in the part `json` names a member twice',
  ],
  [
    'a whole number that would be rounded',
    Buffer.from('{"entity":12345678901234567890}'),
    '422 The body is not valid: entity would be rounded',
  ],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22]), '400 The JSON is not valid UTF-8'],
];

describe('the part `json` of a form, with the type application/json', () => {
  let service: Service;
  let paths: string[];
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    const described = await (await fetch(`${service.base}/openapi.json`)).json();
    paths = Object.entries(described.paths as Record<string, Record<string, { requestBody?: unknown }>>)
      .filter(([, operations]) =>
        JSON.stringify(operations.post?.requestBody)?.includes('multipart/form-data'),
      )
      .map(([path]) => path)
      // The detector accepts only a file.
      .filter((path) => path !== '/public/detect');
  });
  afterAll(() => service.stop());

  /** A browser gives the part `json` a file name; programs usually do not. */
  const post = async (path: string, [name, json]: [string, Uint8Array], fileBytes: number) => {
    const head = (disposition: string, type: string) =>
      Buffer.from(`--b\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: ${type}\r\n\r\n`);
    const body = Buffer.concat([
      head(`name="${name}"`, 'application/json'),
      json,
      Buffer.from('\r\n'),
      head('name="file"; filename="photo.jpg"', 'image/jpeg'),
      Buffer.alloc(fileBytes, 'x'),
      Buffer.from('\r\n--b--\r\n'),
    ]);
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const answer = await service.send(path, { method: 'POST', body, headers });
    return `${answer.status} ${(await answer.json()).error?.message}`;
  };
  const sizes: [string, number][] = [
    ['small', 10],
    ['large', WHOLE_FORM_BYTES],
  ];

  it.each(ABUSES)('is checked on every route: %s is rejected', async (_, json, refusal) => {
    expect(paths.length).toBeGreaterThan(8);
    for (const path of paths) {
      for (const [size, padding] of sizes) {
        const answer = await post(path, ['json', json], padding);
        expect(answer, `${path}, ${size}`).toContain(refusal);
      }
    }
  });

  it.each(['json', 'sessionId', 'anything'])(
    'a costly part `%s` of this type is rejected before it is parsed',
    async (name) => {
      const costly = Buffer.from(`[${Array(200_000).fill(0)}]`);
      for (const path of paths) {
        const parse = vi.spyOn(JSON, 'parse');
        const answer = await post(path, [name, costly], WHOLE_FORM_BYTES);
        const longest = Math.max(0, ...parse.mock.calls.map(([text]) => String(text).length));
        parse.mockRestore();
        expect(answer, path).toMatch(/^4(00|22) /);
        expect(longest, path).toBeLessThan(10_000);
      }
    },
  );
});
