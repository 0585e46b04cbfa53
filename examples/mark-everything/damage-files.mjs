import sharp from 'sharp';
import { runFfmpeg } from './ffmpeg.mjs';

/** A messenger makes a picture smaller, compresses it, and removes its metadata. */
export function sendPicture(file) {
  return sharp(file).resize({ width: 960 }).jpeg({ quality: 60 }).toBuffer();
}

export function convertToMp3(file) {
  return runFfmpeg(['-map_metadata', '-1', '-b:a', '128k'], { input: file, extension: 'mp3' });
}

export function compressClip(file) {
  const scaled = ['-map_metadata', '-1', '-vf', 'scale=320:240'];
  const codec = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '32', '-pix_fmt', 'yuv420p'];
  return runFfmpeg([...scaled, ...codec], { input: file, extension: 'mp4' });
}

const END_OF_PDF = '%%EOF\n';

/** Removes the update that the service appended to a PDF. It contains the manifest. */
export function cutPdf(file) {
  return file.subarray(0, file.indexOf(END_OF_PDF) + END_OF_PDF.length);
}

/** Changes A4 to Letter. The length of the PDF stays, so its table of objects stays valid. */
export function resizePages(file) {
  return Buffer.from(file.toString('latin1').replaceAll('[0 0 595 842]', '[0 0 612 792]'), 'latin1');
}

/** All characters of the text stay, including the invisible ones. */
export function pasteText(file) {
  return Buffer.from(`I found this:\n\n${file.toString()}`);
}

/** Removes variation selectors and the byte order mark. */
export function pasteVisibleText(file) {
  return Buffer.from(file.toString().replaceAll(/[\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}\u{feff}]/gu, ''));
}

export function minifyPage(file) {
  const withoutScripts = file.toString().replaceAll(/<script\b.*?<\/script>|<!--.*?-->/gs, '');
  return Buffer.from(withoutScripts.replaceAll(/\s+/g, ' ').replaceAll('> <', '><'));
}
