/** ISO/IEC 14496-12 §4.2. */
function box(type: string, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

function fullBox(type: string, version: number, ...contents: Uint8Array[]): Buffer {
  return box(type, Buffer.from([version, 0, 0, 0]), ...contents);
}

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => {
    bytes.writeUInt32BE(value >>> 0, index * 4);
  });
  return bytes;
}

function halves(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => {
    bytes.writeUInt16BE(value, index * 2);
  });
  return bytes;
}

function fileType(brand: string, ...compatible: string[]): Buffer {
  return box('ftyp', Buffer.from(brand), words(0), Buffer.from([brand, ...compatible].join('')));
}

/** ISO/IEC 23008-12. The item cannot be decoded. */
export function makeStillPicture(brand: string, content: Buffer): Buffer {
  const type = fileType(brand, 'mif1', 'miaf', 'heic');
  const handler = fullBox('hdlr', 0, words(0), Buffer.from('pict'), words(0, 0, 0), Buffer.from([0]));
  const primary = fullBox('pitm', 0, halves(1));
  const entry = fullBox('infe', 2, halves(1, 0), Buffer.from('hvc1\0'));
  const items = fullBox('iinf', 0, halves(1), entry);
  const size = fullBox('ispe', 0, words(16, 16));
  const properties = box(
    'iprp',
    box('ipco', size),
    fullBox('ipma', 0, words(1), halves(1), Buffer.from([1, 1])),
  );
  const meta = (offset: number) =>
    fullBox(
      'meta',
      0,
      handler,
      primary,
      items,
      properties,
      fullBox('iloc', 0, Buffer.from([0x44, 0]), halves(1, 1, 0, 1), words(offset, content.length)),
    );
  const offset = type.length + meta(0).length + 8;
  return Buffer.concat([type, meta(offset), box('mdat', content)]);
}

/** ISO/IEC 14496-12. The sample cannot be decoded. */
export function makeMovie(brand: string, kind: 'video' | 'sound', content: Buffer): Buffer {
  const type = fileType(brand, 'isom', 'mp42');
  const build = (offset: number) => box('moov', movieHeader(), track(kind, content.length, offset));
  const offset = type.length + build(0).length + 8;
  return Buffer.concat([type, build(offset), box('mdat', content)]);
}

const MATRIX = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

function movieHeader(): Buffer {
  return fullBox(
    'mvhd',
    0,
    words(0, 0, 1000, 1000, 0x10000),
    halves(0x100, 0),
    words(0, 0),
    MATRIX,
    words(0, 0, 0, 0, 0, 0, 2),
  );
}

function track(kind: 'video' | 'sound', sampleBytes: number, offset: number): Buffer {
  const header = fullBox('tkhd', 0, words(0, 0, 1, 0, 1000, 0, 0), halves(0, 0, 0, 0), MATRIX, words(0, 0));
  const handler = kind === 'video' ? 'vide' : 'soun';
  const media = kind === 'video' ? fullBox('vmhd', 0, halves(0, 0, 0, 0)) : fullBox('smhd', 0, halves(0, 0));
  const table = box(
    'stbl',
    fullBox('stsd', 0, words(0)),
    fullBox('stts', 0, words(1, 1, 1000)),
    fullBox('stsc', 0, words(1, 1, 1, 1)),
    fullBox('stsz', 0, words(0, 1, sampleBytes)),
    fullBox('stco', 0, words(1, offset)),
  );
  return box(
    'trak',
    header,
    box(
      'mdia',
      fullBox('mdhd', 0, words(0, 0, 1000, 1000), halves(0x55c4, 0)),
      fullBox('hdlr', 0, words(0), Buffer.from(handler), words(0, 0, 0), Buffer.from([0])),
      box('minf', media, box('dinf', fullBox('dref', 0, words(1), fullBox('url ', 0))), table),
    ),
  );
}
