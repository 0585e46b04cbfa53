import { type ByteSource, findBytes, joinPieces, openCursor, type Piece } from './byte-source.js';

/** A JUMBF box: its length (4 bytes) and type (4 bytes), then its content (ISO/IEC 19566-5 §A.2). */
const HEAD_BYTES = 8;
const SUPERBOX = 'jumb';
/** The description box of a C2PA manifest store (C2PA 2.2 §11.1.4): its type, its toggles and its label. */
const STORE = Buffer.from('6a756d646332706100110010800000aa00389b71036332706100', 'hex');
const APP11 = 0xeb;
/** What an APP11 segment says before its part of a box (ISO/IEC 19566-5 §D.1): `JP`, box number, part number. */
const PART_HEAD_BYTES = 8;
/** A segment holds up to 64 KiB, so that these hold a store of 256 MiB. */
const MAX_SEGMENTS = 4_096;

/**
 * The C2PA manifest store of a media file as it lies there, a JUMBF superbox; undefined where there is none that is
 * whole. Nothing of it is checked. The file is read once, and nothing of it is kept.
 */
export async function findStore(file: ByteSource, mediaType: string): Promise<ByteSource | undefined> {
  const source = mediaType === 'image/jpeg' ? await joinSegments(file) : file;
  const described = source === undefined ? -1 : await findBytes(source, STORE);
  const start = described - 4 - HEAD_BYTES;
  if (source === undefined || start < 0) return undefined;
  const head = await openCursor(joinPieces(source, [{ start, end: start + HEAD_BYTES }])).take(HEAD_BYTES);
  const end = start + (head?.readUInt32BE(0) ?? 0);
  const isWhole = end >= start + HEAD_BYTES && end <= source.sizeBytes;
  if (!isWhole || head?.toString('latin1', 4) !== SUPERBOX) return undefined;
  return joinPieces(source, [{ start, end }]);
}

/** The active manifest of a store: its last one (C2PA 2.2 §11.1.4.2). */
export async function findActiveManifest(store: ByteSource): Promise<ByteSource | undefined> {
  const cursor = openCursor(store);
  let last: Piece | undefined;
  try {
    await cursor.skip(HEAD_BYTES);
    for (let at = HEAD_BYTES; at < store.sizeBytes; ) {
      const head = await cursor.take(HEAD_BYTES);
      const length = head?.readUInt32BE(0) ?? 0;
      if (length < HEAD_BYTES || at + length > store.sizeBytes) return undefined;
      if (head?.toString('latin1', 4) === SUPERBOX) last = { start: at, end: at + length };
      await cursor.skip(length - HEAD_BYTES);
      at += length;
    }
  } finally {
    await cursor.close();
  }
  return last && joinPieces(store, [last]);
}

/** The box that a JPEG's APP11 segments hold in parts; each repeats the box's head. Undefined for too many of them. */
async function joinSegments(file: ByteSource): Promise<ByteSource | undefined> {
  const parts: Piece[] = [];
  const cursor = openCursor(file);
  try {
    await cursor.skip(2);
    for (let at = 2; ; ) {
      const head = await cursor.take(4);
      if (head === undefined || head[0] !== 0xff) break;
      const length = Math.max(2, head.readUInt16BE(2));
      const end = Math.min(at + 2 + length, file.sizeBytes);
      const isLong = head[1] === APP11 && end - at - 4 >= PART_HEAD_BYTES;
      const part = isLong ? await cursor.take(PART_HEAD_BYTES) : undefined;
      if (part?.toString('latin1', 0, 2) === 'JP') {
        const repeated = part.readUInt32BE(4) === 1 ? 0 : HEAD_BYTES;
        parts.push({ start: Math.min(at + 4 + PART_HEAD_BYTES + repeated, end), end });
      }
      if (parts.length > MAX_SEGMENTS) return undefined;
      await cursor.skip(length - 2 - (part?.length ?? 0));
      at += 2 + length;
    }
  } finally {
    await cursor.close();
  }
  return joinPieces(file, parts);
}
