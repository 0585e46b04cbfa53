import { crc32, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { PNG } from './media.js';

/** Makes a careless parser use too much memory, time or stack. */
export interface Bomb {
  name: string;
  bytes: Buffer;
}

const LARGE_BYTES = 256 * 2 ** 20;
const LAUGHS = 12;

/** ISO/IEC 15948 §5.3. */
function pngWith(type: string, data: Buffer, png: Buffer = Buffer.from(PNG)): Buffer {
  const afterHeader = 8 + 25;
  return Buffer.concat([png.subarray(0, afterHeader), chunk(type, data), png.subarray(afterHeader)]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(data.length, 0);
  named.copy(whole, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}

/** The header declares this size, but the pixels are those of a small picture. */
export function pngOfSize(pixels: number): Buffer {
  const header = Buffer.from(PNG.subarray(16, 29));
  header.writeUInt32BE(pixels, 0);
  header.writeUInt32BE(pixels, 4);
  return Buffer.concat([PNG.subarray(0, 8), chunk('IHDR', header), PNG.subarray(33)]);
}

/** Each XML entity is ten times as long as the previous one: 10^11 words in total. */
function laughs(before: string, after: string): string {
  const entities = Array.from({ length: LAUGHS }, (_, n) => {
    const held = n === 0 ? 'ha' : `&e${n - 1};`.repeat(10);
    return `<!ENTITY e${n} "${held}">`;
  });
  return `<?xml version="1.0"?><!DOCTYPE x [${entities.join('')}]>${before}&e${LAUGHS - 1};${after}`;
}

/** ISO/IEC 14496-12 §4.2, or JUMBF. */
function nestedBoxes(type: string, depth: number): Buffer {
  const boxes = Buffer.alloc(depth * 8);
  for (let level = 0; level < depth; level++) {
    boxes.writeUInt32BE((depth - level) * 8, level * 8);
    boxes.write(type, level * 8 + 4, 'latin1');
  }
  return boxes;
}

/** The entry inflates to a large file (PKWARE APPNOTE §4.3). */
function zipOf(name: string, packed: Buffer): Buffer {
  const file = Buffer.from(name);
  const sizes = Buffer.alloc(12);
  sizes.writeUInt32LE(packed.length, 4);
  sizes.writeUInt32LE(LARGE_BYTES, 8);
  const lengths = Buffer.from([file.length, 0, 0, 0]);
  const local = Buffer.concat([
    Buffer.from('504b0304140000000800', 'hex'),
    Buffer.alloc(4),
    sizes,
    lengths,
    file,
    packed,
  ]);
  const entry = Buffer.concat([
    Buffer.from('504b01021400140000000800', 'hex'),
    Buffer.alloc(4),
    sizes,
    lengths,
    Buffer.alloc(14),
    file,
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, entry, end]);
}

function pdfWith(packed: Buffer): Buffer {
  const dictionary = `<</Type/ObjStm/N 100000/First 10/Filter/FlateDecode/Length ${packed.length}>>`;
  const head = `%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 3 0 R>>\nendobj\n2 0 obj\n${dictionary}\nstream\n`;
  const tail = '\nendstream\nendobj\ntrailer\n<</Root 1 0 R/Size 3>>\nstartxref\n9\n%%EOF\n';
  return Buffer.concat([Buffer.from(head, 'latin1'), packed, Buffer.from(tail, 'latin1')]);
}

function jpegOfSize(pixels: number): Buffer {
  const frame = Buffer.from('ffc0001108000000000301220002110103110100', 'hex').subarray(0, 19);
  frame.writeUInt16BE(pixels, 5);
  frame.writeUInt16BE(pixels, 7);
  return Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    frame,
    Buffer.from('ffda0008010100003f00', 'hex'),
    Buffer.alloc(100),
    Buffer.from('ffd9', 'hex'),
  ]);
}

function jpegWithXmp(xmp: string): Buffer {
  const content = Buffer.from(`http://ns.adobe.com/xap/1.0/\0${xmp}`);
  const head = Buffer.from('ffd8ffe10000', 'hex');
  head.writeUInt16BE(content.length + 2, 4);
  return Buffer.concat([head, content, Buffer.from('ffd9', 'hex')]);
}

const ISO_HEAD = Buffer.from('0000001466747970617669660000000061766966', 'hex');
const MP4_HEAD = Buffer.from('000000146674797069736f6d0000020069736f6d', 'hex');
const XMP = { before: '<x:xmpmeta xmlns:x="adobe:ns:meta/">', after: '</x:xmpmeta>' };

export function makeBombs(): Bomb[] {
  const zeros = Buffer.alloc(LARGE_BYTES);
  const packed = deflateSync(zeros, { level: 9 });
  const raw = deflateRawSync(zeros, { level: 9 });
  const keyword = (text: string) => Buffer.from(`${text}\0\0`, 'latin1');
  const itxt = Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\x01\0\0\0', 'latin1'), packed]);
  const gif = Buffer.from(
    '474946383961ffffffff000000 2c00000000ffffffff00 0202 4401 00 3b'.replaceAll(' ', ''),
    'hex',
  );
  const webp = Buffer.from('524946461a000000574542505650384c0d0000002fffffff0f0000000000000000', 'hex');
  return [
    { name: 'PNG: zTXt that inflates', bytes: pngWith('zTXt', Buffer.concat([keyword('Comment'), packed])) },
    { name: 'PNG: iCCP that inflates', bytes: pngWith('iCCP', Buffer.concat([keyword('icc'), packed])) },
    { name: 'PNG: iTXt (XMP) that inflates', bytes: pngWith('iTXt', itxt) },
    { name: 'PNG: 65,535 x 65,535 pixels', bytes: pngOfSize(65_535) },
    { name: 'JPEG: 65,500 x 65,500 pixels', bytes: jpegOfSize(65_500) },
    { name: 'GIF: 65,535 x 65,535 pixels', bytes: gif },
    { name: 'WebP: 16,384 x 16,384 pixels', bytes: webp },
    { name: 'JPEG: XMP of entities', bytes: jpegWithXmp(laughs(XMP.before, XMP.after)) },
    {
      name: 'SVG of entities',
      bytes: Buffer.from(laughs('<svg xmlns="http://www.w3.org/2000/svg"><text>', '</text></svg>')),
    },
    { name: 'XML of entities', bytes: Buffer.from(laughs('<x>', '</x>')) },
    { name: 'OOXML that inflates', bytes: zipOf('word/document.xml', raw) },
    { name: 'EPUB that inflates', bytes: zipOf('mimetype', raw) },
    { name: 'gzip that inflates', bytes: gzipSync(zeros, { level: 9 }) },
    { name: 'PDF: stream of objects that inflates', bytes: pdfWith(packed) },
    {
      name: 'PDF: arrays in each other',
      bytes: Buffer.from(`%PDF-1.7\n1 0 obj\n${'['.repeat(200_000)}\n%%EOF`),
    },
    { name: 'AVIF: boxes in each other', bytes: Buffer.concat([ISO_HEAD, nestedBoxes('meta', 50_000)]) },
    { name: 'MP4: boxes in each other', bytes: Buffer.concat([MP4_HEAD, nestedBoxes('moov', 50_000)]) },
    {
      name: 'MP4: 10^5 boxes beside each other',
      bytes: Buffer.concat([MP4_HEAD, Buffer.from('0000000866726565'.repeat(100_000), 'hex')]),
    },
    { name: 'PNG: JUMBF boxes in each other', bytes: pngWith('caBX', nestedBoxes('jumb', 20_000)) },
    { name: 'PNG: 10^5 JUMBF boxes', bytes: pngWith('caBX', manyStores()) },
  ];
}

/** The JUMBF descriptions are empty. */
function manyStores(): Buffer {
  const inner = Buffer.from('000000106a756d62 000000086a756d64'.replaceAll(' ', '').repeat(100_000), 'hex');
  const head = Buffer.from('000000006a756d62', 'hex');
  head.writeUInt32BE(inner.length + 8, 0);
  return Buffer.concat([head, inner]);
}
