import sharp from 'sharp';
import type { MediaFile } from './media-files.js';

/** `sample` is the content of all files except the texts and the SVG. */
export async function makeMoreFiles(sample: Buffer, edgePixels: number): Promise<MediaFile[]> {
  const raw = { width: edgePixels, height: edgePixels, channels: 1 as const };
  const picture = () => sharp(sample.subarray(0, edgePixels ** 2), { raw });
  const gif = await picture().gif().toBuffer();
  const tiff = await picture().tiff({ compression: 'none' }).toBuffer();
  return [
    { name: 'GIF', mediaType: 'image/gif', bytes: gif, contentAt: gif.length - 200 },
    { name: 'TIFF', mediaType: 'image/tiff', bytes: tiff, contentAt: 200 },
    { name: 'JPEG XL', mediaType: 'image/jxl', ...endingWith(makeJxl(sample)) },
    makeSvg(),
    { name: 'WAV', mediaType: 'audio/wav', ...endingWith(makeWav(sample)) },
    { name: 'FLAC', mediaType: 'audio/flac', ...endingWith(makeFlac(sample)) },
    { name: 'AVI', mediaType: 'video/x-msvideo', ...endingWith(makeAvi(sample)) },
    makeText('HTML', 'text/html', [
      '<!DOCTYPE html>\n<html><head><title>A page</title></head><body>',
      '</body></html>\n',
    ]),
    makeText('Text', 'text/plain', ['# Notes\n\n', '\n']),
  ];
}

function endingWith(bytes: Buffer): Pick<MediaFile, 'bytes' | 'contentAt'> {
  return { bytes, contentAt: bytes.length - 200 };
}

/** ISO/IEC 18181-2 §9. */
function box(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** The codestream begins with its marker; the rest cannot be decoded. */
function makeJxl(sample: Buffer): Buffer {
  return Buffer.concat([
    box('JXL ', Buffer.from([0x0d, 0x0a, 0x87, 0x0a])),
    box('ftyp', Buffer.from('jxl \0\0\0\0jxl ', 'latin1')),
    box('jxlc', Buffer.concat([Buffer.from([0xff, 0x0a]), sample])),
  ]);
}

function makeSvg(): MediaFile {
  const bytes = Buffer.from(
    '<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90">' +
      '<circle cx="30" cy="40" r="20"/><text x="5" y="80">A picture of the tests</text></svg>\n',
  );
  return { name: 'SVG', mediaType: 'image/svg+xml', bytes, contentAt: bytes.indexOf('A picture') };
}

function makeText(name: string, mediaType: string, [before, after]: [string, string]): MediaFile {
  const bytes = Buffer.from(`${before}Some text of the tests, with caf\u00e9 and \u{1f44d}\ufe0f.${after}`);
  return { name, mediaType, bytes, contentAt: bytes.indexOf('text of') };
}

/** RIFF has a byte of padding after an odd length. */
function chunk(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

/** 8 bit PCM of one channel, at 8 kHz. */
function makeWav(sample: Buffer): Buffer {
  const format = Buffer.alloc(16);
  format.writeUInt16LE(1, 0);
  format.writeUInt16LE(1, 2);
  format.writeUInt32LE(8000, 4);
  format.writeUInt32LE(8000, 8);
  format.writeUInt16LE(1, 12);
  format.writeUInt16LE(8, 14);
  return chunk('RIFF', Buffer.from('WAVE'), chunk('fmt ', format), chunk('data', sample));
}

/** One uncompressed frame, without an index. */
function makeAvi(sample: Buffer): Buffer {
  const [main, stream, bitmap] = [Buffer.alloc(56), Buffer.alloc(56), Buffer.alloc(40)];
  main.writeUInt32LE(1_000_000);
  main.writeUInt32LE(1, 16);
  main.writeUInt32LE(1, 24);
  stream.write('vidsDIB ', 'latin1');
  bitmap.writeUInt32LE(40);
  bitmap.writeUInt32LE(64, 4);
  bitmap.writeUInt32LE(64, 8);
  const list = (type: string, ...content: Buffer[]) => chunk('LIST', Buffer.from(type), ...content);
  return chunk(
    'RIFF',
    Buffer.from('AVI '),
    list('hdrl', chunk('avih', main), list('strl', chunk('strh', stream), chunk('strf', bitmap))),
    list('movi', chunk('00db', sample)),
  );
}

/** RFC 9639 §8.2. The frame cannot be decoded. */
function makeFlac(sample: Buffer): Buffer {
  const info = Buffer.alloc(38);
  info.writeUInt32BE(0x80000022);
  info.writeUInt16BE(4096, 4);
  info.writeUInt16BE(4096, 6);
  info.writeUInt32BE(0x0ac44070, 14);
  info.writeUInt32BE(4096, 18);
  return Buffer.concat([Buffer.from('fLaC'), info, Buffer.from([0xff, 0xf8, 0xc9, 0x08]), sample]);
}
