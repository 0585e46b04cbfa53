import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { convertSound } from '../support/converted-sound.js';
import { noisySound, toWavFile } from '../support/generated-sound.js';
import { allowDetection, createMarkClient, createMediaClient, SAID } from '../support/media-form.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';
import { FFMPEG } from '../support/videos.js';

const AI = { ...SAID, aiDisclosure: 'ai_generated' };
// Without fpcalc, only the watermark leads to the record.
const environment = {
  ...{ PUBLIC_DETECTOR: 'true', PUBLIC_DETECTOR_RPM: '100000' },
  ...{ FPCALC: 'off', FFMPEG: FFMPEG ?? 'off' },
};

describe.skipIf(FFMPEG === undefined)('watermarks of compressed sound', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE, { environment });
    await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human', name: 'Ann' }));
    await allowDetection(service);
  });
  afterAll(() => service.stop());

  const { bytesOf } = createMediaClient(() => service);
  const { mark, detect } = createMarkClient(() => service, AI);

  it('are read from MP3, AAC, FLAC and Ogg files of more than a minute', async () => {
    const { cid } = await mark(toWavFile(noisySound(8, 70)));
    const { id } = await (await service.send('/v1/publications', jsonPost({ cid }))).json();
    const marked = await bytesOf(cid);
    const usual = ['-ar', '44100', '-ac', '2'];
    for (const [extension, flags] of [
      ['mp3', ['-b:a', '128k']],
      ['m4a', ['-c:a', 'aac', '-b:a', '96k']],
      ['aac', ['-c:a', 'aac', '-b:a', '96k']],
      ['flac', []],
      ['ogg', ['-c:a', 'libvorbis', '-b:a', '96k']],
      ['ogg', ['-c:a', 'libopus', '-b:a', '64k', '-ar', '48000']],
    ] as const) {
      const copy = convertSound(marked, extension, [...usual, ...flags]);
      const { layers, checks } = await detect(copy);
      const found = layers.map(({ kind, publication }) => [kind, publication?.id]);
      expect([extension, found, checks.at(-1)?.state]).toEqual([extension, [['watermark', id]], 'checked']);
    }
  });

  it('are not found in sounds without a mark, and a damaged file is reported as not checked', async () => {
    const plain = convertSound(toWavFile(noisySound(9)), 'mp3', ['-b:a', '128k']);
    const { layers, checks } = await detect(plain);
    expect([layers, checks.at(-1)]).toEqual([[], { kind: 'watermark', state: 'checked' }]);
    const flac = Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(5_000)]);
    expect((await detect(flac)).checks.at(-1)).toEqual({
      kind: 'watermark',
      state: 'unavailable',
      reason: expect.stringMatching(/cannot be decoded/),
      code: 'unreadable',
    });
  });

  it('are not checked if no decoder is free in time; the other layers are checked', async () => {
    const { cid } = await mark(toWavFile(noisySound(10)));
    const mp3 = convertSound(await bytesOf(cid), 'mp3');
    const file = await (await service.upload(mp3)).json();
    const { id } = await (await service.send('/v1/publications', jsonPost({ cid: file.cid }))).json();
    const { scheduler } = service.context.records;
    const idle = new AbortController();
    const ended = new Promise<void>((resolve) => idle.signal.addEventListener('abort', () => resolve()));
    const places = Array.from({ length: service.config.work.places.video }, (_, at) => `busy-${at}`);
    const busy = places.map((projectId) => scheduler.run({ kind: 'video', projectId }, () => ended));
    const { layers, checks } = await detect(mp3);
    idle.abort();
    await Promise.all(busy);
    expect(layers).toMatchObject([{ kind: 'log', publication: { id } }]);
    const reason = expect.stringMatching(/could not check this layer/);
    expect(checks.at(-1)).toEqual({ kind: 'watermark', state: 'unavailable', reason, code: 'failed' });
  });
});
