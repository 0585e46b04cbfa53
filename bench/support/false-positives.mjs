// Measures how close the scores of pictures without a mark come to the threshold of a detection.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { readChecked } from '../../packages/model/dist/watermark/checked-payload.js';
import { decodePayload } from '../../packages/model/dist/watermark/payload-code.js';
import { readSoftBits } from '../../packages/model/dist/watermark/placement.js';
import { toPlane } from '../../packages/model/dist/watermark/plane.js';
import { scoreOf, smallestScore } from '../../packages/model/dist/watermark/score.js';
import { toSpectrum } from '../../packages/model/dist/watermark/spectrum.js';
import { createNext } from './random.mjs';

/** Number of crops that a thread reads at once. */
const PART = 250;
/** Number of parts per line of progress. */
const PARTS_PER_LINE = 8;

export function readAt(spectrum, place) {
  const soft = readSoftBits(spectrum, place);
  const bits = decodePayload(soft);
  const score = scoreOf(soft, bits);
  return { score, reaches: score >= smallestScore, isValid: readChecked(bits) !== undefined };
}

/**
 * Reads crops of pictures without a mark at all places that the detector tries. `from`: the number of the first crop.
 * `files`: the photographs; without them, the crops are from generated pictures. A detection needs a score above the
 * threshold and a valid checksum at the same place.
 *
 * Each line of progress has the counts of all crops from the first one. So a run with `from` can continue an ended run,
 * and the counts of two runs can be added.
 */
export async function countFalsePositives(report, files, { crops, from, threads }) {
  const source = files === undefined ? 'generated pictures' : `${files.length} photographs`;
  report.section(`marking: ${crops} crops of ${source} without a mark`);
  const startedMs = performance.now();
  const total = { crops: 0, places: 0, reached: 0, valid: 0, found: 0, highest: 0 };
  const parts = Array.from({ length: Math.ceil(crops / PART) }, (_, index) => ({
    index,
    first: from + index * PART,
    count: Math.min(PART, crops - index * PART),
  }));
  const waiting = new Map();
  let added = 0;
  const finish = (index, counts) => {
    waiting.set(index, counts);
    // The parts are added in their order, so that the total never leaves out a crop.
    for (; waiting.has(added); added++) {
      add(total, waiting.get(added));
      waiting.delete(added);
      if ((added + 1) % PARTS_PER_LINE === 0) report.note(describe(total, from, startedMs));
    }
  };
  await Promise.all(Array.from({ length: threads }, () => readParts(files, parts, finish)));
  report.figure('marks found in pictures without a mark', total.found, { target: { atMost: 0 } });
  report.note(describe(total, from, startedMs));
}

async function readParts(files, parts, finish) {
  const worker = new Worker(new URL('read-crops.mjs', import.meta.url), { workerData: { files } });
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    worker.postMessage(part);
    const [counts] = await once(worker, 'message');
    finish(part.index, counts);
  }
  await worker.terminate();
}

function add(total, { highest, ...counts }) {
  for (const [name, count] of Object.entries(counts)) total[name] += count;
  total.highest = Math.max(total.highest, highest);
}

function describe({ crops, places, reached, valid, found, highest }, from, startedMs) {
  const rate = crops / ((performance.now() - startedMs) / 1000);
  return (
    `crops ${from} to ${from + crops - 1}: ${crops} crops, ${places} places, ` +
    `${reached} crops with a score of ${smallestScore.toFixed(2)} or more, ${valid} places with a valid checksum, ` +
    `${found} crops with a mark, highest score ${highest.toFixed(2)} (${rate.toFixed(1)} crops a second)`
  );
}

/** Reads a payload at random places, as the detector does at the likeliest places. */
export async function readAnywhere(report, photos, places) {
  report.section(`marking: ${places} places in ${photos.length} photographs without a mark`);
  const next = createNext(places, 0x706c6163);
  const counts = { found: 0, highest: 0 };
  for (const make of photos) {
    const { data, info } = await make();
    const spectrum = toSpectrum(toPlane({ ...info, data }));
    for (let number = 0; number < places / photos.length; number++) {
      const scale = (200 * Math.exp(1.7 * next())) / Math.sqrt(spectrum.width * spectrum.height);
      const place = { scale, angle: 0.24 * (next() - 0.5), shiftX: next(), shiftY: next() };
      const { score, reaches, isValid } = readAt(spectrum, place);
      if (reaches && isValid) counts.found++;
      if (score > counts.highest) counts.highest = score;
    }
  }
  report.figure('places with a valid payload', counts.found, { target: { atMost: 0 } });
  report.note(`highest score ${counts.highest.toFixed(2)}, threshold ${smallestScore.toFixed(2)}`);
}
