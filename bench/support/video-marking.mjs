// Alters marked videos and reads the marks. Needs ffmpeg with libx264.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { detectVideoMark, drawVideoMark } from '../../packages/model/dist/watermark/index.js';
import {
  readVideoHeader,
  sampleFrames,
  writeMarkedVideo,
} from '../../packages/server/dist/search/video/mark-video.js';
import { readFrameHeader, splitFrames, toYuv } from '../../packages/server/dist/search/video/y4m.js';
import { makeLargePicture } from './large-pictures.mjs';
import { interval, medianOf } from './statistics.mjs';

const FFMPEG = 'ffmpeg';
const VIDEOS = 10;
const PICTURES = 3;
const SECONDS = 9;
const FIRST_PAYLOAD = 0xc01a_f1_000_000n;
const LIMITS = { signal: new AbortController().signal, limitMs: 120_000 };
const X264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p'];
const again = (crf, filter = 'null') => ['-vf', filter, ...X264, '-crf', String(crf)];

/** The FFmpeg flags of the encodings, which run one after the other. */
const ATTACKS = {
  none: [],
  'recompressed (crf 28)': [again(28)],
  'recompressed (crf 35)': [again(35)],
  'half of its width': [again(26, 'scale=iw/2:-2')],
  'crop to 64 % of the area': [again(26, 'crop=iw*0.8:ih*0.8')],
  'the middle 3 s': [['-ss', '3', '-t', '3', ...again(26)]],
  'letterboxed (16:9 in 4:3)': [again(26, 'pad=iw:iw*3/4:0:(oh-ih)/2')],
  'frame rate 25 to 15': [again(26, 'fps=15')],
  'brighter, more contrast': [again(26, 'eq=brightness=0.06:contrast=1.2')],
  'with a logo': [again(26, 'drawbox=x=iw*0.78:y=ih*0.06:w=iw*0.16:h=ih*0.16:color=white:t=fill')],
  'social media (854 px, crf 30, then crf 28)': [again(30, 'scale=854:-2'), again(28)],
};

function run(flags) {
  const { status, stderr } = spawnSync(FFMPEG, ['-nostdin', '-v', 'error', '-y', ...flags]);
  if (status !== 0) throw new Error(String(stderr));
}

/** Makes a slide show with a pan over each picture, cuts between the pictures, and noise. */
function makeShow(files, to, seed) {
  const frames = (25 * SECONDS) / files.length;
  const pans = files.map((_, at) => {
    const across = at % 2 === 0 ? `on/${frames}` : `1-on/${frames}`;
    const fill = 'scale=1600:900:force_original_aspect_ratio=increase,crop=1600:900,setsar=1';
    return `[${at}:v]${fill},zoompan=z=1.2:x='(iw-iw/zoom)*(${across})':d=${frames}:s=1280x720:fps=25,setsar=1[s${at}]`;
  });
  const joined = `${files.map((_, at) => `[s${at}]`).join('')}concat=n=${files.length}:v=1,noise=alls=4:allf=t:all_seed=${seed}[v]`;
  const inputs = files.flatMap((file) => ['-i', file]);
  run([...inputs, '-filter_complex', [...pans, joined].join(';'), '-map', '[v]', ...X264, '-crf', '18', to]);
}

async function framesOf(file) {
  const { output: bytes } = await sampleFrames(FFMPEG, { path: file, demuxer: 'mov', ...LIMITS });
  const header = readFrameHeader(bytes);
  const { width, height } = header;
  return Array.from(splitFrames(bytes, header), (data) => ({ width, height, channels: 1, data }));
}

/** Returns the root mean square of the mark. */
async function mark(file, copy, payload, folder) {
  const { width, height } = await readVideoHeader(FFMPEG, { path: file, demuxer: 'mov', ...LIMITS });
  const pattern = drawVideoMark(await framesOf(file), { width, height }, payload);
  const path = join(folder, 'pattern');
  writeFileSync(path, toYuv(pattern, { width, height }));
  const marking = { pattern: path, size: { width, height }, muxer: 'mp4', copy };
  rmSync(copy, { force: true });
  const isWritten = await writeMarkedVideo(FFMPEG, { path: file, demuxer: 'mov', ...LIMITS }, marking);
  if (!isWritten) throw new Error('FFmpeg could not write the marked video.');
  let squares = 0;
  for (const value of pattern) squares += (value - 128) ** 2;
  return Math.sqrt(squares / pattern.length);
}

async function picturesOf(number, { photos, folder }) {
  if (photos.length > 0)
    return Array.from({ length: PICTURES }, (_, at) => photos[(number * PICTURES + at) % photos.length]);
  return Promise.all(
    Array.from({ length: PICTURES }, async (_, at) => {
      const { data, info } = await makeLargePicture(number * PICTURES + at);
      const file = join(folder, `picture-${at}.png`);
      await sharp(data, { raw: info }).png().toFile(file);
      return file;
    }),
  );
}

export async function measureVideos(report, options) {
  const kinds = (options.of ?? 'generated,photos').split(',');
  const folder = mkdtempSync(join(tmpdir(), 'colophon-marked-'));
  try {
    if (kinds.includes('generated'))
      await measureKind(report, { title: 'generated pictures', photos: [], folder }, options);
    if (kinds.includes('photos') && options.photos) {
      const names = readdirSync(options.photos).filter((name) => name.endsWith('.jpg'));
      // The first 50 photographs by name served for tuning.
      const photos = names
        .sort()
        .slice(50)
        .map((name) => join(options.photos, name));
      await measureKind(report, { title: 'photographs', photos, folder }, options);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureKind(report, { title, ...source }, options) {
  const count = Number(options.videos ?? VIDEOS);
  const from = Number(options.from ?? 0);
  report.section(`marking: ${count} slide shows of 3 ${title}, ${SECONDS} s of 1280 x 720`);
  const found = new Map(Object.keys(ATTACKS).map((name) => [name, 0]));
  const levels = [];
  const counts = { wrong: 0, unmarked: 0 };
  const [file, copy] = ['show.mp4', 'copy.mp4'].map((name) => join(source.folder, name));
  for (let number = from; number < from + count; number++) {
    makeShow(await picturesOf(number, source), file, number);
    if (detectVideoMark(await framesOf(file))) counts.unmarked++;
    const payload = FIRST_PAYLOAD + BigInt(number);
    levels.push(20 * Math.log10(255 / (await mark(file, copy, payload, source.folder))));
    for (const [name, steps] of Object.entries(ATTACKS)) {
      const altered = alter(copy, steps, source.folder);
      const read = detectVideoMark(await framesOf(altered))?.payload;
      if (read === payload) found.set(name, found.get(name) + 1);
      else if (read !== undefined) counts.wrong++;
    }
  }
  report.figure('PSNR of the mark in the brightness, median', medianOf(levels), { unit: ' dB' });
  report.note(`lowest ${Math.min(...levels).toFixed(1)} dB`);
  report.figure('wrong payloads', counts.wrong, { target: { atMost: 0 } });
  report.figure('marks found in unmarked videos', counts.unmarked, { target: { atMost: 0 } });
  for (const [name, hits] of found) {
    report.figure(name, (100 * hits) / count, { unit: ' %' });
    report.note(`${hits} of ${count}, 95 % interval ${interval(hits, count)}`);
  }
}

function alter(copy, steps, folder) {
  return steps.reduce((from, flags, at) => {
    const to = join(folder, `altered-${at}.mp4`);
    run(['-i', from, ...flags, to]);
    return to;
  }, copy);
}
