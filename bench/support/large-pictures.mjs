// Generated pictures of 2 megapixels and more: hills of noise, shapes and lettering, like landscapes and posters.
import sharp from 'sharp';
import { createNext } from './random.mjs';

const SIZES = [
  [1632, 1224],
  [1920, 1080],
  [1224, 1632],
  [2048, 1365],
];
const SALT = 0x6c617267;

export async function makeLargePicture(number, size = SIZES[number % SIZES.length]) {
  const next = createNext(number, SALT);
  const [width, height] = size;
  const channels = [];
  // One channel after the other: all channels take their random numbers from the same sequence.
  for (let colour = 0; colour < 3; colour++) channels.push(await drawHills(next, size));
  const data = new Uint8ClampedArray(width * height * 3);
  const mix = Array.from({ length: 3 }, () => ({ base: 60 + 120 * next(), common: 0.6 + 0.5 * next() }));
  for (let at = 0; at < width * height; at++) {
    for (let colour = 0; colour < 3; colour++) {
      const { base, common } = mix[colour];
      data[at * 3 + colour] = base + common * (channels[0][at] - 128) + 0.35 * (channels[colour][at] - 128);
    }
  }
  const shapes = Buffer.from(drawShapes(next, size));
  const image = sharp(data, { raw: { width, height, channels: 3 } }).composite([{ input: shapes }]);
  return image.removeAlpha().raw().toBuffer({ resolveWithObject: true });
}

/** The decay decides how rough the hills are. */
async function drawHills(next, [width, height]) {
  const sum = new Float32Array(width * height);
  const decay = 0.45 + 0.35 * next();
  let amplitude = 90;
  for (let cells = 3; cells < height / 2; cells *= 2) {
    const small = { width: Math.ceil((cells * width) / height), height: cells, channels: 1 };
    const data = Uint8Array.from({ length: small.width * small.height }, () => Math.floor(256 * next()));
    const grown = await sharp(data, { raw: small })
      .resize(width, height, { fit: 'fill', kernel: 'cubic' })
      .toColourspace('b-w')
      .raw()
      .toBuffer();
    for (let at = 0; at < sum.length; at++) sum[at] += (amplitude / 128) * (grown[at] - 128);
    amplitude *= decay;
  }
  return sum.map((value) => value + 128);
}

function drawShapes(next, [width, height]) {
  const colour = () => `rgb(${[0, 0, 0].map(() => Math.floor(256 * next())).join()})`;
  const parts = Array.from({ length: 3 + Math.floor(12 * next()) }, () => {
    const x = Math.floor(width * next());
    const y = Math.floor(height * next());
    const size = Math.floor(40 + 260 * next());
    const style = `fill="${colour()}" fill-opacity="${(0.3 + 0.7 * next()).toFixed(2)}"`;
    if (next() < 0.4) return `<circle cx="${x}" cy="${y}" r="${size / 2}" ${style}/>`;
    if (next() < 0.6) return `<rect x="${x}" y="${y}" width="${size}" height="${size * 0.6}" ${style}/>`;
    return `<text x="${x}" y="${y}" font-size="${size / 3}" font-family="sans-serif" ${style}>Picture ${size}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${parts.join('')}</svg>`;
}
