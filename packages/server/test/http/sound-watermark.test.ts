import type { Mark } from '@colophon/model';
import { detectSoundMark, embedSoundMark } from '@colophon/model/watermark';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readWav } from '../../src/search/audio/wav.js';
import { convertSound, probeSound } from '../support/converted-sound.js';
import { noisySound, toWavFile } from '../support/generated-sound.js';
import { allowDetection, createMarkClient, createMediaClient, SAID } from '../support/media-form.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';
import { FFMPEG } from '../support/videos.js';

const AI = { ...SAID, aiDisclosure: 'ai_generated' };
// Without fpcalc, only the watermark leads to the record.
const environment = { PUBLIC_DETECTOR: 'true', PUBLIC_DETECTOR_RPM: '100000', FPCALC: 'off' };

function soundOf(file: Uint8Array) {
  const wav = readWav(file);
  if (typeof wav === 'string') throw new Error(wav);
  return wav.sound;
}

describe('watermarks of sound', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE, { environment });
    await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human', name: 'Ann' }));
    await allowDetection(service);
  });
  afterAll(() => service.stop());

  const { post, bytesOf } = createMediaClient(() => service);
  const { mark, layerOf, detect } = createMarkClient(() => service, AI);

  it('are added before the file is signed, and the manifest contains the soft binding', async () => {
    const marked = await mark(toWavFile(noisySound(1), { channels: 2 }));
    expect(layerOf(marked)).toEqual({ kind: 'watermark', state: 'added', method: 'sound-mark/1' });
    const copy = await bytesOf(marked.cid);
    const payload = detectSoundMark(soundOf(copy))?.payload ?? -1n;
    const value = Buffer.from(payload.toString(16).padStart(8, '0'), 'hex').toString('base64');
    const { validation, manifest } = (await post('extract', { file: copy })).body;
    expect(validation.state).toBe('valid');
    expect(manifest.actions.at(-1)).toMatchObject({ action: 'c2pa.watermarked.bound' });
    const resource = await (await service.send(`/v1/resource/${marked.cid}`)).json();
    const { watermark, manifestLabel } = resource.extensions['ext:c2pa@1.0.0'];
    expect(watermark).toEqual({ alg: 'colophon.sound-mark.1', value });
    const query = new URLSearchParams({ alg: 'colophon.sound-mark.1', value });
    const { matches } = await (await service.send(`/v1/c2pa/matches/byBinding?${query}`)).json();
    expect(matches).toEqual([{ manifestId: manifestLabel, similarityScore: 100 }]);
    const { contents } = await (await service.send('/v1/compliance/marks')).json();
    const reported = contents.find(({ cid }: Mark) => cid === marked.cid);
    expect(layerOf(reported)).toEqual(layerOf(marked));
  });

  it('lead the public detector from a quieter cut without a manifest to the published history', async () => {
    const { cid } = await mark(toWavFile(noisySound(2, 12)), { ...AI, title: 'A song' });
    const [samples = new Float32Array()] = soundOf(await bytesOf(cid)).channels;
    const altered = toWavFile(samples.subarray(30_000, 160_000).map((value) => value / 3));
    expect((await detect(altered)).layers).toEqual([]);
    const { id } = await (await service.send('/v1/publications', jsonPost({ cid, withhold: [] }))).json();
    const { layers } = await detect(altered);
    expect(layers).toMatchObject([
      { kind: 'watermark', confidence: 'low', level: 'generated', publication: { id } },
    ]);
    expect(layers[0]?.says).toMatch(/points to published content.*proves no origin/);
  });

  it('are not found with a payload that the service did not issue; without ffmpeg, FLAC is not checked', async () => {
    const own = { sampleRate: 16_000, channels: [noisySound(3)] };
    const [samples = new Float32Array()] = embedSoundMark(own, 99n);
    const { layers, checks } = await detect(toWavFile(samples));
    expect([layers, checks.at(-1)]).toEqual([[], { kind: 'watermark', state: 'checked' }]);
    const flac = Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(5_000)]);
    expect((await detect(flac)).checks.at(-1)).toEqual({
      kind: 'watermark',
      state: 'unavailable',
      reason: expect.stringMatching(/reads no watermark from audio\/.*can install ffmpeg/),
      code: 'unsupported',
    });
  });

  it('are added to a file with a manifest, and this manifest becomes the parent', async () => {
    const first = await mark(toWavFile(noisySound(4)), { ...AI, title: 'First' });
    const second = await mark(await bytesOf(first.cid), { ...AI, title: 'Second' });
    expect(layerOf(second)?.state).toBe('added');
    expect(second.manifest?.ingredients).toMatchObject([
      { relationship: 'parentOf', manifest: { title: 'First' } },
    ]);
    expect(second.validation?.state).toBe('valid');
  });

  it.each<[string, object, Buffer, RegExp]>([
    ['the request turns it off', { watermark: false }, toWavFile(noisySound(5)), /turns the watermark off/],
    ['the sound is too short', {}, toWavFile(noisySound(6, 0.25)), /too short/],
    ['the samples have 8 bits', {}, toWavFile(noisySound(7), { bits: 8 }), /16 or 24 bits/],
  ])(
    'are not added because %s: the answer states the reason, and the samples stay unchanged',
    async (_, said, file, reason) => {
      const marked = await mark(file, { ...AI, ...said });
      const state = { kind: 'watermark', state: 'unavailable', reason: expect.stringMatching(reason) };
      expect(layerOf(marked)).toEqual(state);
      expect((await bytesOf(marked.cid)).includes(file.subarray(44))).toBe(true);
    },
  );
});

describe.skipIf(FFMPEG === undefined)('watermarks of compressed sounds', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE, { environment: { ...environment, FFMPEG: FFMPEG ?? 'off' } });
    await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human', name: 'Ann' }));
    await allowDetection(service);
  });
  afterAll(() => service.stop());

  const { post, bytesOf } = createMediaClient(() => service);
  const { mark, layerOf, detect } = createMarkClient(() => service, AI);
  const TITLE = ['-metadata', 'title=Rain on tin', '-metadata', 'artist=Ann'];
  const COVER = '-f lavfi -i color=red:s=64x64:d=1 -map 0:a -map 1:v -frames:v 1'.split(' ');
  const AS_COVER = ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-disposition:v', 'attached_pic'];
  const soundIn = (extension: string, seed: number, flags: readonly string[] = []) =>
    convertSound(toWavFile(noisySound(seed, 12), { channels: 2 }), extension, [
      ...[...COVER, ...AS_COVER, ...flags, ...TITLE],
    ]);

  it.each<[string, string, readonly string[]]>([
    ['mp3', 'audio/mpeg', ['-b:a', '128k']],
    ['m4a', 'audio/x-m4a', ['-b:a', '96k']],
    ['flac', 'audio/flac', []],
  ])(
    'are added to a file of %s, keep its format, tags and cover, and survive 64 kbit/s',
    async (extension, mediaType, flags) => {
      const file = soundIn(extension, extension.length + flags.length, flags);
      const marked = await mark(file);
      expect(layerOf(marked)).toEqual({ kind: 'watermark', state: 'added', method: 'sound-mark/1' });
      expect(marked.mimeType).toBe(mediaType);
      const copy = await bytesOf(marked.cid);
      expect((await post('extract', { file: copy })).body.validation.state).toBe('valid');
      expect(probeSound(copy, extension)).toEqual(probeSound(file, extension));
      const { id } = await (
        await service.send('/v1/publications', jsonPost({ cid: marked.cid, withhold: [] }))
      ).json();
      const altered = convertSound(copy, 'mp3', ['-map', '0:a', '-ss', '2', '-b:a', '64k']);
      const { layers } = await detect(altered);
      const found = layers.filter(({ kind }) => kind === 'watermark');
      expect(found).toMatchObject([{ level: 'generated', publication: { id } }]);
    },
  );

  it('are added in one turn of the fair queue, so a sound waits only once for videos of other projects', async () => {
    const { scheduler } = service.context.records;
    const places = service.config.work.places.video;
    const queue = (name: string) => {
      const idle = new AbortController();
      const ended = new Promise<void>((resolve) => idle.signal.addEventListener('abort', () => resolve()));
      const turn = { kind: 'video', isBackground: true, hasCaller: true } as const;
      const all = Array.from({ length: places }, (_, at) =>
        scheduler.run({ ...turn, projectId: `${name}-${at}` }, () => ended),
      );
      return { end: () => idle.abort(), all: Promise.all(all) };
    };
    const before = queue('before');
    const marking = mark(soundIn('mp3', 12));
    await expect.poll(() => scheduler.counts().video.waiting, { timeout: 30_000 }).toBe(1);
    const after = queue('after');
    before.end();
    expect(layerOf(await marking)).toMatchObject({ state: 'added' });
    after.end();
    await Promise.all([before.all, after.all]);
  });

  it('keep 24 bits of FLAC, also in a file with a manifest', async () => {
    const first = await mark(soundIn('flac', 8, ['-sample_fmt', 's32']), { ...AI, title: 'First' });
    const second = await mark(await bytesOf(first.cid), { ...AI, title: 'Second' });
    expect([layerOf(first)?.state, layerOf(second)?.state]).toEqual(['added', 'added']);
    expect(second.manifest?.ingredients).toMatchObject([{ manifest: { title: 'First' } }]);
    expect(probeSound(await bytesOf(second.cid), 'flac').bits).toBe('24');
  });

  it.each<[string, () => Buffer, RegExp]>([
    ['the sound is too short', () => convertSound(toWavFile(noisySound(9, 0.25)), 'mp3'), /too short/],
    [
      'a copy would lose quality',
      () => soundIn('m4a', 10, ['-c:a', 'alac']),
      /could not decode the sound as AAC/,
    ],
    [
      'the decoded sound is too large',
      () => convertSound(toWavFile(noisySound(11, 1)), 'flac', ['-af', 'apad=whole_dur=2200']),
      /more than 67108864 bytes/,
    ],
  ])('are not added because %s: the answer states the reason', async (_, makeFile, reason) => {
    const state = { kind: 'watermark', state: 'unavailable', reason: expect.stringMatching(reason) };
    expect(layerOf(await mark(makeFile()))).toEqual(state);
  });
});
