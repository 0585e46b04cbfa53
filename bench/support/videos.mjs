// Makes and changes short videos. Needs ffmpeg.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makePicture } from './pictures.mjs';

const RATE = 30;
const SIZE = '426x240';
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-threads', '1'];
const SLIDES = 5;

/** `close` deletes the folder. */
export function openStudio(ffmpeg) {
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-videos-'));
  let made = 0;
  const inFolder = (name) => path.join(folder, name);

  function make(flags, extension = 'mp4') {
    const file = inFolder(`${made++}.${extension}`);
    const { status, stderr } = spawnSync(ffmpeg, ['-nostdin', '-v', 'error', ...flags, file]);
    if (status !== 0) throw new Error(`ffmpeg ${flags.join(' ')}: ${stderr}`);
    return file;
  }

  const fromSource = (source, seconds) =>
    make([
      '-f',
      'lavfi',
      '-i',
      `${source},fps=${RATE},scale=${SIZE.replace('x', ':')}`,
      '-t',
      String(seconds),
      ...H264,
    ]);

  return {
    inFolder,
    make,
    /** Equal numbers give equal pictures. */
    makeClip: (kind, number, seconds = 10) => fromSource(SOURCES[kind](number), seconds),
    makeSlides: (files, seconds = 10) => make([...toSlides(files, seconds / files.length), ...H264]),
    async makePictures(number) {
      const files = [];
      for (let slide = 0; slide < SLIDES; slide++) {
        const file = inFolder(`picture-${number}-${slide}`);
        writeFileSync(file, await makePicture(number * SLIDES + slide));
        files.push(file);
      }
      return files;
    },
    change: (name, file) => make(CHANGES[name](file)),
    /** The videos must have equal size. */
    join: (files) => {
      const square = files.map((_, at) => `[${at}:v]setsar=1[v${at}]`);
      const joined = `${files.map((_, at) => `[v${at}]`).join('')}concat=n=${files.length}:v=1[v]`;
      const inputs = files.flatMap((file) => ['-i', file]);
      return make([...inputs, '-filter_complex', [...square, joined].join(';'), '-map', '[v]', ...H264]);
    },
    read: (file) => readFileSync(file),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function listShows(folder) {
  const files = readdirSync(folder)
    .filter((name) => /\.(jpg|png)$/.test(name))
    .sort();
  return Array.from({ length: Math.floor(files.length / SLIDES) }, (_, show) =>
    files.slice(show * SLIDES, (show + 1) * SLIDES).map((name) => path.join(folder, name)),
  );
}

function toSlides(files, seconds) {
  const frames = Math.round(seconds * RATE);
  const pans = files.map((_, at) => {
    const across = at % 2 === 0 ? `on/${frames}` : `1-on/${frames}`;
    return (
      `[${at}:v]scale=534:300:force_original_aspect_ratio=increase,crop=534:300,` +
      `zoompan=z=1.25:x='(iw-iw/zoom)*(${across})':y='(ih-ih/zoom)/2':d=${frames}:s=${SIZE}:fps=${RATE},setsar=1[s${at}]`
    );
  });
  const joined = `${files.map((_, at) => `[s${at}]`).join('')}concat=n=${files.length}:v=1[v]`;
  return [
    ...files.flatMap((file) => ['-i', file]),
    '-filter_complex',
    [...pans, joined].join(';'),
    '-map',
    '[v]',
  ];
}

const CENTRES = [
  [-0.7436, 0.1318],
  [-1.2507, 0.0201],
  [-0.1011, 0.9563],
  [0.2755, 0.0069],
];

/** Each number gives another video, but `mandelbrot` has only four. */
export const SOURCES = {
  life: (number) =>
    `life=s=160x90:r=10:mold=10:ratio=0.3:seed=${number}:life_color=#c8e632:death_color=#203060`,
  cellauto: (number) =>
    `cellauto=s=160x90:r=10:rule=${[18, 30, 45, 73, 110, 150][number % 6]}:seed=${number}`,
  gradients: (number) => `gradients=s=160x90:r=10:speed=0.02:nb_colors=4:seed=${number}`,
  mandelbrot: (number) => {
    const [x, y] = CENTRES[number % CENTRES.length] ?? [0, 0];
    return `mandelbrot=s=160x90:r=10:start_scale=0.5:end_scale=0.01:start_x=${x}:start_y=${y}`;
  },
};

const recode = (file, filter) => ['-i', file, ...(filter === undefined ? [] : ['-vf', filter]), ...H264];

export const CHANGES = {
  'recompressed (crf 35)': (file) => [...recode(file), '-crf', '35'],
  'rescaled to half its width': (file) => recode(file, 'scale=214:120'),
  'the middle half': (file) => ['-ss', '2.63', '-t', '5', ...recode(file)],
  'letterboxed (4:3 in 16:9)': (file) => recode(file, 'scale=320:240,pad=426:240:53:0'),
  'frame rate 30 to 24': (file) => recode(file, 'fps=24'),
  'with a logo': (file) =>
    recode(
      file,
      'drawbox=x=iw*0.78:y=ih*0.06:w=iw*0.16:h=ih*0.16:color=white:t=fill,drawbox=x=iw*0.8:y=ih*0.09:w=iw*0.12:h=ih*0.1:color=red:t=fill',
    ),
  mirrored: (file) => recode(file, 'hflip'),
  'rescaled, the middle half, with a logo, crf 35': (file) => [
    ...['-ss', '2.63', '-t', '5'],
    ...recode(file, 'scale=214:120,drawbox=x=iw*0.78:y=ih*0.06:w=iw*0.16:h=ih*0.16:color=white:t=fill'),
    ...['-crf', '35'],
  ],
};
