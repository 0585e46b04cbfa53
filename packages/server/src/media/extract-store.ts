/** A JUMBF box: its length (4 bytes) and type (4 bytes), then its content (ISO/IEC 19566-5 §A.2). */
const HEAD_BYTES = 8;
const SUPERBOX = 'jumb';
/** The description box of a C2PA manifest store (C2PA 2.2 §11.1.4): its type, its toggles and its label. */
const STORE = Buffer.from('6a756d646332706100110010800000aa00389b71036332706100', 'hex');
const APP11 = 0xeb;
/** What an APP11 segment says before its part of a box (ISO/IEC 19566-5 §D.1): `JP`, box number, part number. */
const PART_HEAD_BYTES = 8;

/**
 * The C2PA manifest store of a media file as it lies there, a JUMBF superbox; undefined where there is none that is
 * whole. Nothing of it is checked.
 */
export function extractStore(file: Uint8Array, mediaType: string): Buffer | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const source = mediaType === 'image/jpeg' ? joinSegments(bytes) : bytes;
  const described = source.indexOf(STORE);
  if (described < HEAD_BYTES + 4) return undefined;
  return readBox(source, described - 4 - HEAD_BYTES);
}

/** The active manifest of a store: its last one (C2PA 2.2 §11.1.4.2). */
export function activeManifestOf(store: Buffer): Buffer | undefined {
  let last: Buffer | undefined;
  for (let at = HEAD_BYTES; at < store.length; ) {
    const length = at + HEAD_BYTES > store.length ? 0 : store.readUInt32BE(at);
    if (length < HEAD_BYTES || at + length > store.length) return undefined;
    if (store.toString('latin1', at + 4, at + HEAD_BYTES) === SUPERBOX)
      last = store.subarray(at, at + length);
    at += length;
  }
  return last;
}

function readBox(source: Buffer, at: number): Buffer | undefined {
  const length = source.readUInt32BE(at);
  const isWhole = length >= HEAD_BYTES && at + length <= source.length;
  return isWhole && source.toString('latin1', at + 4, at + HEAD_BYTES) === SUPERBOX
    ? source.subarray(at, at + length)
    : undefined;
}

/** The box that a JPEG's APP11 segments hold in parts; each repeats the box's head. */
function joinSegments(file: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 2; at + 4 <= file.length && file[at] === 0xff; ) {
    const length = file.readUInt16BE(at + 2);
    const content = file.subarray(at + 4, at + 2 + length);
    if (
      file[at + 1] === APP11 &&
      content.length >= PART_HEAD_BYTES &&
      content.toString('latin1', 0, 2) === 'JP'
    ) {
      const isFirst = content.readUInt32BE(4) === 1;
      parts.push(content.subarray(isFirst ? PART_HEAD_BYTES : PART_HEAD_BYTES + HEAD_BYTES));
    }
    at += 2 + length;
  }
  return Buffer.concat(parts);
}
