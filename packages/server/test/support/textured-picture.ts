import sharp, { type Sharp } from 'sharp';

/** Soft noise in three sizes. */
async function makeClouds(seed: number, size: { width: number; height: number }): Promise<Buffer> {
  const sum = new Float32Array(size.width * size.height);
  for (const [layer, cells] of [4, 16, 48].entries()) {
    const noise = Buffer.alloc(cells * cells);
    let state = (seed * 7919 + layer * 104729 + 1) >>> 0;
    for (let at = 0; at < noise.length; at++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      noise[at] = state >>> 24;
    }
    const grid = sharp(noise, { raw: { width: cells, height: cells, channels: 1 } });
    const scaled = await grid
      .resize({ ...size, fit: 'fill', kernel: 'cubic' })
      .extractChannel(0)
      .raw()
      .toBuffer();
    for (const [at, value] of scaled.entries()) sum[at] = (sum[at] ?? 0) + value / 2 ** (layer + 1);
  }
  return Buffer.from(sum.map((value) => Math.min(255, value)));
}

/** Enough texture for a watermark. */
export async function texturedPicture(seed: number, width = 480, height = 360): Promise<Sharp> {
  const clouds = await makeClouds(seed, { width, height });
  const rgb = Buffer.alloc(clouds.length * 3);
  for (const [at, value] of clouds.entries()) rgb.set([value, value * 0.9, 40 + value * 0.7], at * 3);
  return sharp(rgb, { raw: { width, height, channels: 3 } });
}
