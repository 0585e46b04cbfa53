// A thread that reads crops of pictures without a mark, and posts the counts of each part.
import { parentPort, workerData } from 'node:worker_threads';
import sharp from 'sharp';
import { findGeometries, wholeGeometries } from '../../packages/model/dist/watermark/find-geometries.js';
import { toPlane } from '../../packages/model/dist/watermark/plane.js';
import { toSpectrum } from '../../packages/model/dist/watermark/spectrum.js';
import { readAt } from './false-positives.mjs';
import { makeLargePicture } from './large-pictures.mjs';
import { part } from './mark-attacks.mjs';

/** It takes longer to draw a picture than to read a crop. */
const CROPS_PER_PICTURE = 250;

const openPicture = workerData.files === undefined ? createDrawing() : createPhotographs(workerData.files);

parentPort.on('message', async ({ first, count }) => {
  const counts = { crops: count, places: 0, reached: 0, valid: 0, found: 0, highest: 0 };
  for (let number = first; number < first + count; number++) {
    const read = readCrop(cropOf(await openPicture(number), number));
    counts.places += read.length;
    counts.valid += read.filter(({ isValid }) => isValid).length;
    if (read.some(({ reaches }) => reaches)) counts.reached++;
    if (read.some(({ reaches, isValid }) => reaches && isValid)) counts.found++;
    counts.highest = Math.max(counts.highest, ...read.map(({ score }) => score));
  }
  parentPort.postMessage(counts);
});

function readCrop(raster) {
  const spectrum = toSpectrum(toPlane(raster));
  return [...wholeGeometries(spectrum), ...findGeometries(spectrum)].map((place) => readAt(spectrum, place));
}

function cropOf({ data, info }, number) {
  const { left, top, width, height } = part(info, 0.3 + 0.6 * ((number * 0.618) % 1), number);
  const { channels } = info;
  const crop = new Uint8Array(width * height * channels);
  for (let row = 0; row < height; row++) {
    const start = ((top + row) * info.width + left) * channels;
    crop.set(data.subarray(start, start + width * channels), row * width * channels);
  }
  return { width, height, channels, data: crop };
}

/** Decodes each photograph once. */
function createPhotographs(files) {
  const decoded = new Map();
  return async (number) => {
    const file = files[number % files.length];
    if (!decoded.has(file)) {
      const image = sharp(file).removeAlpha().toColourspace('srgb');
      decoded.set(file, await image.raw().toBuffer({ resolveWithObject: true }));
    }
    return decoded.get(file);
  };
}

function createDrawing() {
  let last = { index: -1 };
  return async (number) => {
    const index = Math.floor(number / CROPS_PER_PICTURE);
    if (index !== last.index) last = { index, picture: await makeLargePicture(index) };
    return last.picture;
  };
}
