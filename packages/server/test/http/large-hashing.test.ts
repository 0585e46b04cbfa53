import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHashPool, type HashPool } from '../../src/blobs/hashing/hash-pool.js';
import { makeMovie } from '../support/iso-files.js';
import { createMediaClient, mediaForm, SAID } from '../support/media-form.js';
import { ourCid } from '../support/pinning-servers.js';
import { ANY_ENGINE, jsonPost, OTHER_KEY, type Service, startService } from '../support/service.js';

const THREADED_ABOVE_BYTES = 8 * 2 ** 20;
const movie = makeMovie('isom', 'video', Buffer.alloc(THREADED_ABOVE_BYTES + 1, 'frame'));

let service: Service;
let expected: (number | undefined)[] = [];
beforeAll(async () => {
  const pool = createHashPool({ threads: 1 });
  const hashing: HashPool = {
    close: pool.close,
    createHasher(expectedBytes, projectId) {
      expected.push(expectedBytes);
      return pool.createHasher(expectedBytes, projectId);
    },
  };
  service = await startService(ANY_ENGINE, { overrides: { hashing } });
  await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human', name: 'Ann' }));
});
afterAll(() => service.stop());

const media = createMediaClient(() => service);

/** Fails if the pool hashes a content with a known size of at most 8 MiB. */
async function threadedBy(work: () => Promise<unknown>): Promise<number> {
  expected = [];
  await work();
  expect(expected.filter((bytes) => bytes !== undefined && bytes <= THREADED_ABOVE_BYTES)).toEqual([]);
  return expected.length;
}

it('recordings, media routes and searches hash more than 8 MiB outside the main thread', async () => {
  const answers: { status: number; body: { cid?: string } }[] = [];
  const keep = async (answer: Promise<{ status: number; body: { cid?: string } }>) =>
    void answers.push(await answer);
  const send = async (path: string, init: RequestInit) => {
    const answer = await service.send(path, { method: 'POST', ...init });
    return { status: answer.status, body: await answer.json() };
  };

  const said = { entity: { id: 'studio:ann', role: 'human' }, action: { type: 'create' } };
  const form = () => mediaForm({ file: movie, json: said });
  expect(await threadedBy(() => keep(send('/v1/activity', { body: form() })))).toBe(1);
  expect(await threadedBy(() => keep(media.embed(movie, SAID)))).toBe(2);
  const signed = await media.bytesOf(answers[1]?.body.cid ?? '');
  expect(await threadedBy(() => keep(media.post('extract', { file: signed })))).toBe(1);
  expect(await threadedBy(() => keep(media.post('verify', { file: signed })))).toBe(1);
  const other = { authorization: `Bearer ${OTHER_KEY}` };
  expect(await threadedBy(() => keep(media.post('import', { file: signed }, other)))).toBe(2);
  expect(await threadedBy(() => keep(send('/v1/search/file', { body: mediaForm({ file: signed }) })))).toBe(
    1,
  );
  const body = new Uint8Array(signed);
  const headers = { 'content-type': 'video/mp4' };
  expect(await threadedBy(() => keep(send('/v1/c2pa/matches/byContent', { body, headers })))).toBe(1);

  expect(answers.map(({ status }) => status)).toEqual([201, 201, 200, 200, 201, 200, 200]);
  expect(answers[0]?.body.cid).toBe(ourCid(movie));
  expect(answers[1]?.body.cid).toBe(ourCid(signed));
});
