// Files of each kind that the service marks, and functions that damage them as the internet often does.
import sharp from 'sharp';
import {
  compressClip,
  convertToMp3,
  cutPdf,
  minifyPage,
  pasteText,
  pasteVisibleText,
  resizePages,
} from '../../examples/mark-everything/damage-files.mjs';
import { runFfmpeg } from '../../examples/mark-everything/ffmpeg.mjs';
import {
  filmClip,
  paintPicture,
  playSong,
  printPdf,
  writePage,
  writeText,
} from '../../examples/mark-everything/make-files.mjs';

const QUALITY = { quality: 95 };
const paint = (format, options) => async () =>
  sharp(await paintPicture())
    .toFormat(format, options)
    .toBuffer();
const toJpeg = (file) => sharp(file).resize({ width: 960 }).jpeg({ quality: 60 }).toBuffer();
const SENT = ['75 % of the size, JPEG q60, no metadata', toJpeg];

function drawVectors() {
  const circles = Array.from({ length: 200 }, () => {
    const [x, y, hue] = [640, 480, 360].map((limit) => Math.floor(Math.random() * limit));
    return `<circle cx="${x}" cy="${y}" r="14" fill="hsl(${hue} 60% 50%)"/>`;
  });
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480">${circles.join('')}</svg>`,
  );
}

const halveLines = (file) => {
  const lines = pasteVisibleText(file).toString().split('\n');
  return Buffer.from(lines.slice(0, Math.ceil(lines.length / 2)).join('\n'));
};
const removeTags = (file) =>
  Buffer.from(
    minifyPage(file)
      .toString()
      .replaceAll(/<[^>]*>/g, ' '),
  );
const removeMetadata = (file) => Buffer.from(file.toString().replace(/<metadata>.*?<\/metadata>/s, ''));
const minifyVectors = (file) =>
  Buffer.from(
    removeMetadata(file)
      .toString()
      .replace(/ xmlns:c2pa="[^"]*"/, '')
      .replaceAll(/<circle (\S+) (\S+) /g, '<circle $2 $1 '),
  );
const toFlac = async () => runFfmpeg(['-c:a', 'flac'], { input: playSong(), extension: 'flac' });

/** `needsFfmpeg`: the files or their damages need FFmpeg. */
export const LAYER_FILES = [
  {
    ...{ name: 'plain text', type: 'text/plain', make: writeText },
    damages: [
      ['pasted below a line of another author, with its invisible characters', pasteText],
      ['pasted without invisible characters', pasteVisibleText],
      ['the first half, without invisible characters', halveLines],
    ],
  },
  {
    ...{ name: 'HTML', type: 'text/html', make: writePage },
    damages: [
      ['minified, script elements removed', minifyPage],
      ['only its text', removeTags],
    ],
  },
  {
    ...{ name: 'PDF', type: 'application/pdf', make: printPdf },
    damages: [
      ['manifest cut off', cutPdf],
      ['manifest cut off, other paper size', (file) => resizePages(cutPdf(file))],
    ],
  },
  { name: 'JPEG', type: 'image/jpeg', make: paintPicture, damages: [SENT] },
  { name: 'PNG', type: 'image/png', make: paint('png'), damages: [SENT] },
  { name: 'WebP', type: 'image/webp', make: paint('webp', QUALITY), damages: [SENT] },
  { name: 'GIF', type: 'image/gif', make: paint('gif'), damages: [SENT] },
  { name: 'TIFF', type: 'image/tiff', make: paint('tiff', QUALITY), damages: [SENT] },
  { name: 'AVIF', type: 'image/avif', make: paint('avif', { effort: 2, ...QUALITY }), damages: [SENT] },
  {
    ...{ name: 'SVG', type: 'image/svg+xml', make: drawVectors },
    damages: [
      ['metadata removed', removeMetadata],
      ['minified, attributes in another order', minifyVectors],
      ['drawn as PNG', (file) => sharp(file).png().toBuffer()],
    ],
  },
  {
    ...{ name: 'WAV', type: 'audio/wav', make: playSong, needsFfmpeg: true },
    damages: [['MP3 128 kbit/s, no metadata', convertToMp3]],
  },
  {
    ...{ name: 'FLAC', type: 'audio/flac', make: toFlac, needsFfmpeg: true },
    damages: [['MP3 128 kbit/s, no metadata', convertToMp3]],
  },
  {
    ...{ name: 'MP4', type: 'video/mp4', make: filmClip, needsFfmpeg: true },
    damages: [['half the size, compressed again, no metadata', compressClip]],
  },
];
