import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';

const CLAIMS = 150;
/** Maximum number of characters of one call of JSON.parse or JSON.stringify. */
const STEP = 2 ** 16;

let service: Service;
let cid: string;
beforeAll(async () => {
  service = await startService(ANY_ENGINE);
  cid = (await (await service.upload('owned by many')).json()).cid;
  await service.send('/v1/entity', jsonPost({ id: 'bo', role: 'human' }));
  const claim = { entityId: 'bo', evidenceType: 'self-declaration', note: 'n'.repeat(2_000) };
  for (let place = 0; place < CLAIMS; place++)
    expect((await service.send(`/v1/resource/${cid}/ownership/claim`, jsonPost(claim))).status).toBe(201);
}, 60_000);
afterAll(() => service.stop());

it.each(['/v1/resource', '/resource'])(
  'a long history of ownership is parsed and written in steps: %s',
  async (path) => {
    const parse = vi.spyOn(JSON, 'parse');
    const stringify = vi.spyOn(JSON, 'stringify');
    const answer = await service.send(`${path}/${cid}/ownership`);
    const text = await answer.text();
    const lengths = [
      ...parse.mock.calls.map(([parsed]) => String(parsed).length),
      ...stringify.mock.results.map(({ value }) => String(value).length),
    ];
    parse.mockRestore();
    stringify.mockRestore();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    const { history, complete } = JSON.parse(text);
    expect([history.length, complete]).toEqual([CLAIMS, true]);
    expect(text.length).toBeGreaterThan(4 * STEP);
    expect(Math.max(...lengths)).toBeLessThan(STEP);
  },
);
