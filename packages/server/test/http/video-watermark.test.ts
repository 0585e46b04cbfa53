import type { Mark } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowDetection, createMarkClient, createMediaClient, SAID } from '../support/media-form.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';
import { changeVideo, FFMPEG, makeVideo, probeVideo } from '../support/videos.js';

const AI = { ...SAID, aiDisclosure: 'ai_generated' };
// Without fpcalc, the detector can find the record only by the watermark.
const environment = {
  PUBLIC_DETECTOR: 'true',
  PUBLIC_DETECTOR_RPM: '100000',
  FPCALC: 'off',
  FFMPEG: FFMPEG ?? 'off',
};

/** Returns the arguments of FFmpeg that make a scene with detail, motion and sound. */
function scene(seed: number, { seconds = 4, size = '640x360' } = {}): string[] {
  const source = `mandelbrot=s=${size}:r=25:start_scale=${1 + seed / 10}`;
  const noise = `noise=alls=6:allf=t+u:all_seed=${seed}`;
  return [
    ...['-f', 'lavfi', '-i', source, '-f', 'lavfi', '-i', `sine=frequency=${300 + seed}`],
    ...['-vf', noise, '-t', String(seconds), '-c:a', 'aac'],
  ];
}

/** 50 frames of 4096 x 4096 pixels. */
const LARGE = ['-f', 'lavfi', '-i', 'color=blue:s=4096x4096:r=25', '-t', '2'];

describe.skipIf(FFMPEG === undefined)('a service that adds watermarks to videos', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE, { environment });
    await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human', name: 'Ann' }));
    await allowDetection(service);
  });
  afterAll(() => service.stop());

  const { post, bytesOf } = createMediaClient(() => service);
  const { mark, layerOf, detect } = createMarkClient(() => service, AI);

  it('marks all frames before it signs the copy, and keeps size, sound and time', async () => {
    const file = makeVideo(scene(1));
    const marked = await mark(file);
    expect(layerOf(marked)).toEqual({ kind: 'watermark', state: 'added', method: 'image-mark/1' });
    const copy = await bytesOf(marked.cid);
    const { validation, manifest } = (await post('extract', { file: copy })).body;
    expect(validation.state).toBe('valid');
    expect(manifest.actions.at(-1)).toMatchObject({ action: 'c2pa.watermarked.bound' });
    expect(probeVideo(copy)).toEqual(probeVideo(file));
    const resource = await (await service.send(`/v1/resource/${marked.cid}`)).json();
    const { watermark, manifestLabel } = resource.extensions['ext:c2pa@1.0.0'];
    expect(watermark.alg).toBe('colophon.image-mark.1');
    const { matches } = await (
      await service.send(`/v1/c2pa/matches/byBinding?${new URLSearchParams(watermark)}`)
    ).json();
    expect(matches).toEqual([{ manifestId: manifestLabel, similarityScore: 100 }]);
    const { contents } = await (await service.send('/v1/compliance/marks')).json();
    expect(layerOf(contents.find(({ cid }: Mark) => cid === marked.cid))).toEqual(layerOf(marked));
  });

  it.each([
    ['smaller', ['-vf', 'scale=426:240', '-crf', '26']],
    ['a part of it', ['-ss', '1', '-t', '2', '-crf', '26']],
    ['with bars', ['-vf', 'pad=iw:ih*1.3:0:(oh-ih)/2', '-crf', '24']],
  ])('the detector finds the published history of a recompressed copy: %s', async (name, alter) => {
    const { cid } = await mark(makeVideo(scene(name.length)), { ...AI, title: name });
    const { id } = await (await service.send('/v1/publications', jsonPost({ cid, withhold: [] }))).json();
    const altered = changeVideo(await bytesOf(cid), alter);
    const { layers } = await detect(altered);
    const found = layers.filter(({ kind }) => kind === 'watermark');
    expect(found).toMatchObject([{ level: 'generated', publication: { id } }]);
  });

  it('marks a QuickTime video, and keeps its format', async () => {
    const marked = await mark(makeVideo(scene(20, { seconds: 2 }), 'mov'));
    expect(marked.mimeType).toBe('video/quicktime');
    expect(layerOf(marked)?.state).toBe('added');
  });

  it('marks a video of 1920 x 1080 with B frames', async () => {
    const file = makeVideo([
      ...scene(21, { seconds: 2, size: '1920x1080' }),
      '-preset',
      'medium',
      '-bf',
      '3',
    ]);
    expect(layerOf(await mark(file))?.reason).toBeUndefined();
  });

  it('finds nothing in a video without a watermark', async () => {
    const { layers, checks } = await detect(makeVideo(scene(30)));
    expect(layers.filter(({ kind }) => kind === 'watermark')).toEqual([]);
    expect(checks.find(({ kind }) => kind === 'watermark')).toEqual({ kind: 'watermark', state: 'checked' });
  });

  it.each<[string, object, () => Buffer, RegExp]>([
    ['the request turns it off', { watermark: false }, () => makeVideo(scene(40)), /turns the watermark off/],
    [
      'the video is too long',
      {},
      () => makeVideo(scene(41, { seconds: 62, size: '128x96' })),
      /more than 60 s/,
    ],
    ['the video is too large', {}, () => makeVideo(LARGE), /more than 3686400 pixels in each frame/],
    [
      'the frames are interlaced',
      {},
      () => makeVideo([...scene(43), '-flags', '+ildct+ilme', '-x264-params', 'tff=1']),
      /progressive frames/,
    ],
    ['the colours have 10 bits', {}, () => makeVideo(scene(42), 'mp4', 'yuv420p10le'), /8 bits for each/],
  ])('adds no watermark when %s, but states the reason and signs the file', async (_, said, make, reason) => {
    const marked = await mark(make(), { ...AI, ...said });
    const state = { kind: 'watermark', state: 'unavailable', reason: expect.stringMatching(reason) };
    expect(layerOf(marked)).toEqual(state);
    expect(marked.validation?.state).toBe('valid');
  });
});
