// Marks pictures, sounds and videos, alters the copies, and measures in how many copies the detectors still find the
// mark. Also measures false detections in content without a mark.
// `--only=generated,photos,crops,places,time,sound,cuts,video,layers` selects the parts to run.
// `--photos=DIR` names a folder of photographs. `--set=tune|report`, `--generated=N`, `--crops=N`, `--from=N` (number
// of the first crop, generated picture or video), `--range=A,B` (photographs A to B - 1, counted from 0) and
// `--places=N` select the pictures. `--alterations=TEXT` selects alterations by a part of their name.
// `--of=photos,generated` selects the source of crops and videos. `--threads=N` sets the number of threads that read
// crops.
// `--sounds=N`, `--first=SEED`, `--kinds=music,speech`, `--cuts=N`, `--phases=N` and `--recordings=DIR` select the
// sounds. `--videos=N` sets the number of videos. `--files=N` and `--formats=PDF,GIF` select the files whose layers are
// measured. `--model=DIR` or `--model=toy` measures a model in place of the service's own watermark of pictures.

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { detectImageMark, embedImageMark } from '../packages/model/dist/watermark/index.js';
import { readNeuralModel } from '../packages/server/dist/search/neural/neural-model.js';
import { chooseImageMarks } from '../packages/server/dist/search/worker/image-marks.js';
import { countFalsePositives, readAnywhere } from './support/false-positives.mjs';
import { psnr, ssim } from './support/image-quality.mjs';
import { makeLargePicture } from './support/large-pictures.mjs';
import { measureLayers } from './support/layer-marking.mjs';
import { ATTACKS } from './support/mark-attacks.mjs';
import { countMarkedCuts, measureSounds } from './support/sound-marking.mjs';
import { interval } from './support/statistics.mjs';
import { toyDecoder, toyEncoder } from './support/toy-watermark.mjs';
import { measureVideos } from './support/video-marking.mjs';

const TUNED_ON = 50;
const GENERATED = 20;
const CROPS = 500;
const PLACES = 20_000;
const FIRST_PAYLOAD = 0xc01a_f00d_0000n;
const ALL_PARTS = ['generated', 'photos', 'crops', 'places', 'time', 'sound', 'cuts', 'video', 'layers'];

export async function run(report, options) {
  const parts = options.only?.split(',') ?? (options.model ? ['generated', 'photos'] : ALL_PARTS);
  const model = openModel(options.model);
  const { marker } = chooseImageMarks(model);
  const name =
    model === undefined ? '' : ` with ${model.algorithm}${options.model === 'toy' ? ', a toy model' : ''}`;
  const photos = listPhotos(options);
  if (photos.length === 0) report.note('no photographs: name a folder with --photos=DIR');
  if (parts.includes('generated')) await measure(report, { ...listGenerated(options, name), marker });
  if (parts.includes('photos') && photos.length > 0) {
    const chosen = choosePhotos(photos, options);
    const title = `${chosen.pictures.length} photographs${name}`;
    await measure(report, { title, ...chosen, marker });
  }
  if (parts.includes('crops')) await countCrops(report, options);
  if (parts.includes('places') && photos.length > 0) {
    await readAnywhere(report, photos, Number(options.places ?? PLACES));
  }
  if (parts.includes('time')) await measureTime(report);
  if (parts.includes('sound')) measureSounds(report, options);
  if (parts.includes('cuts')) countMarkedCuts(report, options);
  if (parts.includes('video')) await measureVideos(report, options);
  if (parts.includes('layers')) await measureLayers(report, options);
}

const chooseAlterations = ({ alterations = '' }) =>
  Object.entries(ATTACKS).filter(([name]) => name.includes(alterations));

function listGenerated(options, name) {
  const [count, from] = [Number(options.generated ?? GENERATED), Number(options.from ?? 0)];
  const pictures = Array.from({ length: count }, (_, number) => () => makeLargePicture(from + number));
  const title = `${count} generated pictures of 2 MP and more${name}`;
  return { title, kind: 'large', pictures, from, alterations: chooseAlterations(options) };
}

function choosePhotos(photos, options) {
  const [from, to] = (options.range ?? `0,${photos.length}`).split(',').map(Number);
  return { kind: 'small', pictures: photos.slice(from, to), from, alterations: chooseAlterations(options) };
}

async function countCrops(report, options) {
  const { crops = CROPS, from = 0, threads = 1, of = 'photos' } = options;
  const chosen = { crops: Number(crops), from: Number(from), threads: Number(threads) };
  const files = listFiles(options);
  if (of.split(',').includes('photos') && files.length > 0) await countFalsePositives(report, files, chosen);
  if (of.split(',').includes('generated')) await countFalsePositives(report, undefined, chosen);
}

const listPhotos = (options) => listFiles(options).map((file) => () => decode(file));

/** The first 50 photographs by name are for tuning, the others for the report. */
function listFiles({ photos, set = 'report' }) {
  if (!photos) return [];
  const names = readdirSync(photos).filter((name) => name.endsWith('.jpg'));
  const chosen = set === 'tune' ? names.sort().slice(0, TUNED_ON) : names.sort().slice(TUNED_ON);
  return chosen.map((name) => join(photos, name));
}

const decode = (input) =>
  sharp(input).removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });

/** `toy`: writes a toy model into a temporary folder. */
function openModel(folder) {
  if (folder === undefined) return undefined;
  const directory = folder === 'toy' ? writeToyModel() : folder;
  const model = readNeuralModel(directory);
  if (typeof model === 'string') throw new Error(model);
  return model;
}

function writeToyModel() {
  const directory = mkdtempSync(join(tmpdir(), 'colophon-toy-model-'));
  process.once('exit', () => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, 'encoder_Q.onnx'), toyEncoder());
  writeFileSync(join(directory, 'decoder_Q.onnx'), toyDecoder());
  return directory;
}

async function measure(report, { title, kind, pictures, from, alterations, marker }) {
  report.section(`marking: ${title}`);
  const found = new Map(alterations.map(([name]) => [name, []]));
  const quality = { psnr: [], ssim: [] };
  let wrong = 0;
  for (const [at, make] of pictures.entries()) {
    const number = from + at;
    const { data, info } = await make();
    const payload = BigInt.asUintN(marker.payloadBits, FIRST_PAYLOAD + BigInt(number));
    const { value } = marker.toBinding(payload);
    const marked = Buffer.from(await marker.embed({ ...info, data }, payload));
    quality.psnr.push(psnr(data, marked));
    quality.ssim.push(ssim(data, marked, info));
    for (const [name, { alter }] of alterations) {
      const altered = await decode(await alter({ data: marked, info }, number));
      const mark = await marker.detect({ ...altered.info, data: altered.data });
      found.get(name).push(mark?.value === value);
      if (mark !== undefined && mark.value !== value) wrong++;
    }
  }
  report.figure('PSNR, median', median(quality.psnr), { unit: ' dB', target: { atLeast: 42 } });
  report.note(`lowest ${Math.min(...quality.psnr).toFixed(1)} dB`);
  report.figure('SSIM, median', median(quality.ssim), { target: { atLeast: 0.98 } });
  report.note(`lowest ${Math.min(...quality.ssim).toFixed(4)}`);
  report.figure('wrong payloads', wrong, { target: { atMost: 0 } });
  for (const [name, results] of found) {
    const target = ATTACKS[name][kind];
    const hits = results.filter(Boolean).length;
    report.figure(name, (100 * hits) / results.length, {
      unit: ' %',
      target: target === undefined ? {} : { atLeast: target },
    });
    report.note(`${hits} of ${results.length}, 95 % interval ${interval(hits, results.length)}`);
  }
}

async function measureTime(report) {
  report.section('marking: time for a decoded picture of 12 MP');
  const { data, info } = await makeLargePicture(1, [4000, 3000]);
  const plain = { ...info, data };
  const marked = { ...info, data: embedImageMark(plain, FIRST_PAYLOAD) };
  for (const [name, raster] of [
    ['with a mark', marked],
    ['without a mark', plain],
  ]) {
    const times = Array.from({ length: 9 }, () => {
      const before = process.cpuUsage();
      detectImageMark(raster);
      const used = process.cpuUsage(before);
      return (used.user + used.system) / 1000;
    });
    report.figure(`detection ${name}, CPU time, median`, median(times), {
      unit: ' ms',
      target: { atMost: 300 },
    });
  }
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
