import sharp from 'sharp';
import { expect, it } from 'vitest';
import { openMediaDesk } from '../support/media-desk.js';
import { openScheduler } from '../support/scheduler.js';

/** Returns the additional reserved bytes and the number of thumbnails. */
async function signBoth(bytes: Uint8Array, mediaType: string) {
  const scheduler = openScheduler({ media: 3 });
  const asked: number[] = [];
  const run: typeof scheduler.run = (turn, task) => {
    asked.push(turn.memoryBytes ?? 0);
    return scheduler.run(turn, task);
  };
  const desk = await openMediaDesk({ scheduler: { ...scheduler, run } });
  try {
    await desk.sign(bytes, mediaType, { thumbnail: false });
    const { signed } = await desk.sign(bytes, mediaType, { thumbnail: true });
    // A read follows each signature.
    const [without = 0, , withOne = 0] = asked;
    const { thumbnails } = await desk.readStore(signed, mediaType);
    return { bytes: withOne - without, thumbnails: thumbnails.length };
  } finally {
    await desk.close();
  }
}

const draw = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'red' } });

it.each([
  ['a PNG by lines', 'png', draw(64, 2_000).png(), 64 * 512 * 4],
  ['an interlaced PNG as a whole', 'png', draw(64, 2_000).png({ progressive: true }), 64 * 2_000 * 4],
  ['a picture of unknown dimensions (128 MiB)', 'webp', draw(64, 64).webp(), 128 * 2 ** 20],
])('the engine reserves memory for decoding %s', async (_, type, picture, bytes) => {
  expect(await signBoth(await picture.toBuffer(), `image/${type}`)).toEqual({ bytes, thumbnails: 1 });
});

it('the engine signs a picture without a thumbnail if decoding the picture needs too much memory', async () => {
  const heavy = draw(6_000, 6_000).toColourspace('rgb16').png({ progressive: true, compressionLevel: 1 });
  expect(await signBoth(await heavy.toBuffer(), 'image/png')).toEqual({ bytes: 0, thumbnails: 0 });
});
