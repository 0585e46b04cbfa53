import { randomInt } from 'node:crypto';
import sharp from 'sharp';
import { runFfmpeg } from './ffmpeg.mjs';

const pick = (list) => list[randomInt(list.length)];
const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));

/** Paints a meadow below a sky, with grain. */
export async function paintPicture() {
  const [width, height] = [1280, 960];
  const hills = times(5, (index) => {
    const y = 380 + index * 90;
    const bend = randomInt(-160, 160);
    return `<path d="M0 ${y} Q ${randomInt(width)} ${y + bend} ${width} ${y} V ${height} H 0 Z" fill="hsl(${80 + index * 14} 45% ${58 - index * 8}%)"/>`;
  });
  const flowers = times(900, () => {
    const [x, y] = [randomInt(width), randomInt(420, height)];
    return `<circle cx="${x}" cy="${y}" r="${randomInt(2, 11)}" fill="hsl(${randomInt(360)} 60% ${randomInt(35, 75)}%)"/>`;
  });
  const clouds = times(12, () => {
    const [x, y] = [randomInt(width), randomInt(300)];
    return `<ellipse cx="${x}" cy="${y}" rx="${randomInt(30, 140)}" ry="${randomInt(12, 40)}" fill="#fff" opacity="0.7"/>`;
  });
  const svg = `<svg width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="skyblue"/>${[...clouds, ...hills, ...flowers].join('')}</svg>`;
  const noise = { type: 'gaussian', mean: 128, sigma: 22 };
  const grain = await sharp({ create: { width, height, channels: 3, noise } })
    .png()
    .toBuffer();
  return sharp(Buffer.from(svg))
    .composite([{ input: grain, blend: 'soft-light' }])
    .jpeg({ quality: 95 })
    .toBuffer();
}

const RATE = 44_100;
const BEAT_SECONDS = 0.5;
/** Each chord is a list of semitones above the root. */
const CHORDS = [
  [0, 4, 7],
  [9, 12, 16],
  [5, 9, 12],
  [7, 11, 14],
  [2, 5, 9],
];

/** Plays chords, a melody and a noisy beat: a WAV file of one channel. */
export function playSong() {
  const samples = new Float32Array(30 * RATE);
  const root = 196 * 2 ** (randomInt(12) / 12);
  for (let beat = 0; beat * BEAT_SECONDS < 30; beat += 4) {
    const chord = pick(CHORDS);
    for (const step of chord)
      addTone(samples, { beat, beats: 4, hertz: root * 2 ** (step / 12), level: 0.09 });
    for (const at of [0, 1, 2, 3]) {
      const hertz = root * 2 ** (1 + pick(chord) / 12);
      addTone(samples, { beat: beat + at, beats: 1, hertz, level: 0.12 });
      addHit(samples, beat + at);
    }
  }
  return toWav(samples);
}

function addTone(samples, { beat, beats, hertz, level }) {
  const start = Math.floor(beat * BEAT_SECONDS * RATE);
  const length = Math.min(beats * BEAT_SECONDS * RATE, samples.length - start);
  for (let at = 0; at < length; at++) {
    const fade = Math.min(1, at / 400) * Math.exp((-2 * at) / length) * level;
    for (let harmonic = 1; harmonic <= 6; harmonic++)
      samples[start + at] += (fade / harmonic) * Math.sin((2 * Math.PI * hertz * harmonic * at) / RATE);
  }
}

function addHit(samples, beat) {
  const start = Math.floor(beat * BEAT_SECONDS * RATE);
  const length = Math.min(RATE / 4, samples.length - start);
  for (let at = 0; at < length; at++)
    samples[start + at] += (Math.random() - 0.5) * 0.3 * Math.exp(-at / 2_500);
}

function toWav(samples) {
  const file = Buffer.alloc(44 + 2 * samples.length);
  file.write('RIFF    WAVEfmt ', 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.writeUInt32LE(16, 16); // bytes of this chunk
  file.writeUInt16LE(1, 20); // integers
  file.writeUInt16LE(1, 22); // channels
  file.writeUInt32LE(RATE, 24);
  file.writeUInt32LE(2 * RATE, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(2 * samples.length, 40);
  for (const [at, value] of samples.entries())
    file.writeInt16LE(Math.round(Math.max(-1, Math.min(1, value)) * 32_767), 44 + 2 * at);
  return file;
}

/** Films Conway's Game of Life. */
export function filmClip() {
  const life = `life=s=160x120:r=5:mold=10:ratio=0.25:seed=${randomInt(2 ** 31)}:life_color=#e0e040:death_color=#102080`;
  return runFfmpeg(
    [
      ...['-f', 'lavfi', '-i', `${life},fps=10,scale=640:480:flags=neighbor`, '-t', '8'],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
    ],
    { extension: 'mp4' },
  );
}

export function printPdf() {
  const lines = writeSentences(200).map((sentence) => `(${sentence}) Tj T*`);
  const page = `BT /F1 12 Tf 14 TL 40 800 Td ${lines.join(' ')} ET`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${page.length}>>\nstream\n${page}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  let file = '%PDF-1.7\n';
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 6\n0000000000 65535 f \n${places.join('')}`;
  return Buffer.from(`${file}${table}trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`);
}

const SYLLABLES =
  'ba be bo da de do fa fe fo ga go ha he ka ke ko la le lo ma me mo na ne no ra re ro sa se so ta te to va ve vo'.split(
    ' ',
  );
const inventWord = () => times(randomInt(2, 5), () => pick(SYLLABLES)).join('');

/** Returns sentences of at least `words` words in total. Each call invents its own words. */
function writeSentences(words) {
  const vocabulary = times(150, inventWord);
  return times(Math.ceil(words / 9), () => {
    const sentence = times(9, () => pick(vocabulary)).join(' ');
    return `${sentence[0].toUpperCase()}${sentence.slice(1)}.`;
  });
}

export function writeText() {
  return Buffer.from(`${writeSentences(400).join('\n')}\n`);
}

export function writePage() {
  const paragraphs = times(8, () => `    <p>\n      ${writeSentences(50).join('\n      ')}\n    </p>`);
  return Buffer.from(`<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>A story</title>
  </head>
  <body>
    <!-- The story -->
${paragraphs.join('\n')}
  </body>
</html>
`);
}
