import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeBoxes } from '../../../../bench/support/boxes.mjs';
import { makePicture } from '../../../../bench/support/pictures.mjs';
import { namedProjectId } from '../../src/access/create-key.js';
import { mediaForm, SAID } from '../support/media-form.js';
import { ANY_ENGINE, jsonPost, KEY, OTHER_KEY, type Service, startService } from '../support/service.js';
import { makeSigner } from '../support/signers.js';

const SOON = { timeout: 20_000, interval: 5 };
const PICTURE = sharp({ create: { width: 60, height: 60, channels: 3, background: 'red' } });

const ANN = { id: SAID.entityId, role: 'human' };
const pemsOf = ({ certificatePem, privateKeyPem }: ReturnType<typeof makeSigner>) => ({
  signingCertificate: certificatePem,
  signingKey: privateKeyPem,
});

async function mediaCall(path: string, json?: object): Promise<{ path: string; init: RequestInit }> {
  const file = await PICTURE.clone().jpeg().toBuffer();
  return { path, init: { method: 'POST', body: mediaForm(json === undefined ? { file } : { file, json }) } };
}

const batchCall = (entities: object[]) => ({ path: '/v1/batch', init: jsonPost({ entities }) });
const erasureCall = (id: string) => ({
  path: `/v1/entity/${id}/personal-data`,
  init: { method: 'DELETE', headers: {} },
});
const namingCall = (count: number) => {
  const cidOf = (place: number) => `sha256:${place.toString(16).padStart(64, '0')}`;
  const [first = '', ...inputCids] = Array.from({ length: count }, (_, place) => cidOf(place));
  const actions = [inputCids.slice(0, 500), inputCids.slice(500)].map((inputs) => {
    return { performedBy: ANN.id, inputCids: inputs, outputCids: [first] };
  });
  return { path: '/v1/batch', init: jsonPost({ actions }) };
};
const manyEntities = (count: number, metadata = {}) =>
  Array.from({ length: count }, (_, place) => ({ id: `many ${place}`, role: 'human', metadata }));

describe('expensive abandoned work', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE, { environment: { WORKER_THREADS: '3' } });
    await service.send('/v1/entity', jsonPost(ANN));
  });
  afterAll(() => service.stop());

  const counts = (kind: 'media' | 'search') => service.context.records.scheduler.counts()[kind];
  const post = (path: string, file: Uint8Array, init: RequestInit = {}) =>
    service.send(path, { method: 'POST', body: mediaForm({ file }), ...init });
  const asOther = { headers: { authorization: `Bearer ${OTHER_KEY}` } };

  it('work on slow files of one project leaves a thread to others, and ends when the callers disconnect', async () => {
    const leaving = new AbortController();
    const boxes = makeBoxes();
    const slow = Array.from({ length: 6 }, () =>
      post('/v1/media/extract', boxes, { signal: leaving.signal }).catch(() => 'left'),
    );
    await vi.waitFor(() => expect(counts('media')).toMatchObject({ running: 1, waiting: 5 }), SOON);
    const other = await post('/v1/media/extract', await PICTURE.clone().png().toBuffer(), asOther);
    expect(other.status).toBe(200);
    expect(counts('media')).toEqual({ running: 1, waiting: 5, refused: 0 });
    leaving.abort();
    expect(await Promise.all(slow)).toEqual(slow.map(() => 'left'));
    await vi.waitFor(() => expect(counts('media')).toMatchObject({ running: 0, waiting: 0 }), SOON);
    const next = await post('/v1/media/extract', await PICTURE.clone().png().toBuffer());
    expect(next.status).toBe(200);
  });

  it.each([
    [
      'by a file',
      async (picture: Uint8Array) => (signal: AbortSignal) => post('/v1/search/file', picture, { signal }),
    ],
    [
      'by recorded content',
      async (picture: Uint8Array) => {
        const { cid } = await (await service.upload(picture)).json();
        return (signal: AbortSignal) => service.send(`/v1/similar/${cid}`, { signal });
      },
    ],
  ])('does not begin for searches whose callers have disconnected: %s', async (_how, prepare) => {
    const search = await prepare(await PICTURE.clone().png().toBuffer());
    const { scheduler } = service.context.records;
    let free = () => {};
    const busy = scheduler.run({ projectId: namedProjectId('one'), kind: 'search' }, () => {
      return new Promise<void>((resolve) => {
        free = resolve;
      });
    });
    const leaving = new AbortController();
    const gone = Array.from({ length: 5 }, () => search(leaving.signal).catch(() => 'left'));
    await vi.waitFor(() => expect(counts('search')).toMatchObject({ running: 1, waiting: 5 }), SOON);
    leaving.abort();
    await vi.waitFor(() => expect(counts('search')).toMatchObject({ running: 1, waiting: 0 }), SOON);
    free();
    await busy;
    expect(await Promise.all(gone)).toEqual(gone.map(() => 'left'));
  });

  it.each([
    ['embeddings', 'media', 1, () => mediaCall('/v1/media/embed', { ...SAID, ...pemsOf(makeSigner()) })],
    ['imports', 'media', 1, () => mediaCall('/v1/media/import')],
    ['imports by the ProvenanceKit SDK', 'media', 1, () => mediaCall('/media/import')],
    ['batches', 'batch', 2, async () => batchCall([ANN])],
    ['erasures', 'bulk', 1, async () => erasureCall('nobody')],
    ['batches of many records', 'bulk', 1, async () => batchCall(manyEntities(201))],
    ['batches that name many contents', 'bulk', 1, async () => namingCall(1_001)],
    ['bodies of much JSON', 'parse', 1, async () => batchCall(manyEntities(2, { a: 'a'.repeat(60_000) }))],
    ['batches of many bytes', 'bulk', 1, async () => batchCall(manyEntities(10, { a: 'a'.repeat(60_000) }))],
  ] as const)(
    'does not begin after the caller has disconnected: %s',
    async (_name, kind, places, prepare) => {
      const { scheduler } = service.context.records;
      const counts = () => scheduler.counts()[kind];
      const { refused } = counts();
      let free = () => {};
      const freed = new Promise<void>((resolve) => {
        free = resolve;
      });
      const turn = { projectId: namedProjectId('one'), kind };
      const busy = Array.from({ length: places }, () => scheduler.run(turn, () => freed));
      const leaving = new AbortController();
      const { path, init } = await prepare();
      const headers = { ...init.headers, authorization: `Bearer ${KEY}` };
      const gone = service.send(path, { ...init, headers, signal: leaving.signal }).catch(() => 'left');
      await vi.waitFor(() => expect(counts()).toMatchObject({ running: places, waiting: 1 }), SOON);
      leaving.abort();
      await vi.waitFor(() => expect(counts()).toEqual({ running: places, waiting: 0, refused }), SOON);
      free();
      await Promise.all(busy);
      expect(await gone).toBe('left');
    },
  );

  it.each(['webp', 'gif', 'avif'] as const)(
    'a search by a small picture (%s) runs beside a large media file of another project',
    async (format) => {
      const { scheduler } = service.context.records;
      let free = () => {};
      const large = { projectId: namedProjectId('one'), kind: 'media', memoryBytes: 166 * 2 ** 20 } as const;
      const parsed = scheduler.run(large, () => {
        return new Promise<void>((resolve) => {
          free = resolve;
        });
      });
      const picture = await sharp(await makePicture(3))
        .toFormat(format)
        .toBuffer();
      const answer = await post('/v1/search/file', picture, asOther);
      free();
      await parsed;
      expect([answer.status, await answer.json()]).toEqual([200, { verdict: 'no-match', matches: [] }]);
    },
  );

  it('422: the service searches no picture that needs more memory than MAX_PICTURE_BYTES', async () => {
    const small = PICTURE.clone().toColourspace('rgb16').png({ progressive: true });
    const file = await small.toBuffer();
    file.writeUInt32BE(9_990, 16);
    file.writeUInt32BE(9_990, 20);
    file.writeUInt32BE(crc32(file.subarray(12, 29)), 29);
    const answer = await post('/v1/search/file', file);
    const { error } = (await answer.json()) as { error: { message: string } };
    expect([answer.status, error.message]).toEqual([422, expect.stringContaining('MAX_PICTURE_BYTES')]);
  });
});
