// Usual alterations of pictures. Each takes a raw picture `{data, info}` and returns an encoded picture.
import sharp from 'sharp';
import { createNext } from './random.mjs';

const raw = ({ data, info }) =>
  sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
/** The salt separates these random numbers from those of the generated pictures. */
const SALT = 0x61747461;
const png = (image) => image.png({ compressionLevel: 1 }).toBuffer();
const jpeg = (image, quality) => image.jpeg({ quality }).toBuffer();

/** Targets in per cent: `large` for pictures of 2 MP and more, `small` for photographs of 640 pixels. */
export const ATTACKS = {
  none: { alter: (picture) => png(raw(picture)) },
  'JPEG q50': { large: 99, small: 95, alter: (picture) => jpeg(raw(picture), 50) },
  'JPEG q30': { large: 95, small: 80, alter: (picture) => jpeg(raw(picture), 30) },
  'resize to 25 %': { large: 99, small: 75, alter: (picture) => png(resize(picture, 0.25)) },
  'resize to 25 % and back': {
    large: 99,
    small: 75,
    alter: async (picture) =>
      png(
        sharp(await png(resize(picture, 0.25))).resize(picture.info.width, picture.info.height, {
          fit: 'fill',
        }),
      ),
  },
  'resize to 512 px wide': {
    large: 98,
    small: 88,
    alter: (picture) => png(raw(picture).resize({ width: 512 })),
  },
  'crop to 50 % of the area': {
    large: 95,
    small: 80,
    alter: (picture, seed) => png(raw(picture).extract(part(picture.info, 0.5, seed))),
  },
  'screenshot (resize 0.8, crop 5 %, JPEG q70)': { large: 98, small: 88, alter: screenshot },
  'brightness +20 %': {
    large: 98,
    small: 88,
    alter: (picture) => png(raw(picture).modulate({ brightness: 1.2 })),
  },
  'contrast -20 %': { large: 98, small: 88, alter: (picture) => png(raw(picture).linear(0.8, 25)) },
  'gamma 1.5': { large: 98, small: 88, alter: (picture) => png(raw(picture).gamma(1.5, 1)) },
  'blur 1.5': { large: 95, small: 85, alter: (picture) => png(raw(picture).blur(1.5)) },
  'noise 8': { large: 95, small: 85, alter: addNoise },
  'rotation by 1 degree': { large: 85, small: 60, alter: (picture) => jpeg(raw(picture).rotate(1), 90) },
  'rotation by -3 degrees': { large: 85, small: 60, alter: (picture) => jpeg(raw(picture).rotate(-3), 90) },
  'rotation by 5 degrees': { large: 85, small: 60, alter: (picture) => jpeg(raw(picture).rotate(5), 90) },
  'aspect ratio changed by 1 %': { alter: (picture) => png(stretch(picture, 1.01)) },
  'aspect ratio changed by 2 %': { alter: (picture) => png(stretch(picture, 1.02)) },
  'aspect ratio changed by 3 %': { alter: (picture) => png(stretch(picture, 1.03)) },
  'aspect ratio changed by 5 %': { alter: (picture) => png(stretch(picture, 1.05)) },
  'WebP q40': { large: 95, small: 85, alter: (picture) => raw(picture).webp({ quality: 40 }).toBuffer() },
  'AVIF q40': {
    large: 95,
    small: 85,
    alter: (picture) => raw(picture).avif({ quality: 40, effort: 2 }).toBuffer(),
  },
  'social media (1080 px, JPEG q75, 80 %, JPEG q60)': { large: 97, small: 87, alter: shareTwice },
};

function resize(picture, factor) {
  const width = Math.round(picture.info.width * factor);
  const height = Math.round(picture.info.height * factor);
  return raw(picture).resize(width, height, { fit: 'fill' });
}

function stretch(picture, factor) {
  const { width, height } = picture.info;
  return raw(picture).resize(width, Math.round(height * factor), { fit: 'fill' });
}

/** Returns a part of a picture with this share of its area. The seed selects its position. */
export function part({ width, height }, share, seed) {
  const next = createNext(seed, SALT);
  const side = Math.sqrt(share);
  const size = { width: Math.round(width * side), height: Math.round(height * side) };
  const left = Math.floor(next() * (width - size.width + 1));
  const top = Math.floor(next() * (height - size.height + 1));
  return { left, top, ...size };
}

async function screenshot(picture, seed) {
  const smaller = await png(resize(picture, 0.8));
  const info = { width: Math.round(picture.info.width * 0.8), height: Math.round(picture.info.height * 0.8) };
  return jpeg(sharp(smaller).extract(part(info, 0.95, seed)), 70);
}

async function shareTwice(picture) {
  const width = Math.min(1080, picture.info.width);
  const first = await jpeg(raw(picture).resize({ width }), 75);
  return jpeg(sharp(first).resize({ width: Math.round(width * 0.8) }), 60);
}

/** Adds Gaussian noise with a standard deviation of 8 grey levels. */
function addNoise({ data, info }, seed) {
  const next = createNext(seed, SALT);
  const noisy = Uint8ClampedArray.from(data, (value) => {
    const radius = Math.sqrt(-2 * Math.log(next() + 1e-12));
    return value + 8 * radius * Math.cos(2 * Math.PI * next());
  });
  return png(raw({ data: noisy, info }));
}
