import { setImmediate as letOthersRun } from 'node:timers/promises';
import { fromBase64, locateTextManifest } from '@colophon/model';
import {
  type ByteSource,
  findBytes,
  joinPieces,
  openCursor,
  PIECES_PER_SLICE,
  type Piece,
  readWhole,
  toSource,
} from './byte-source.js';
import { HTML, isText, SVG } from './formats.js';

/** A JUMBF box: its length (4 bytes) and type (4 bytes), then its content (ISO/IEC 19566-5 §A.2). */
const HEAD_BYTES = 8;
const SUPERBOX = 'jumb';
/** The description box of a C2PA manifest store (C2PA 2.2 §11.1.4): its type, toggles and label. */
const STORE = Buffer.from('6a756d646332706100110010800000aa00389b71036332706100', 'hex');
const APP11 = 0xeb;
/** The head of a segment: a marker, a length, `JP`, the box number and the part number (ISO/IEC 19566-5 §D.1). */
const SEGMENT_HEAD_BYTES = 12;
/** Maximum number of parts of a box, for a store of almost 256 MiB. */
const MAX_PARTS = 4_096;
/** Maximum number of segments of a file. */
const MAX_SEGMENTS = 65_536;
/** Maximum number of sub-blocks of a GIF, for a store of almost 4 MiB. */
const MAX_SUB_BLOCKS = 16_384;
const MAX_MANIFESTS = 4_096;
/** Maximum length of a manifest's label. */
export const MAX_LABEL_BYTES = 250;
/** A description box: its head, a type (16 bytes), toggles (1 byte) and a label (ISO/IEC 19566-5 §A.3). */
const DESCRIPTION = 'jumd';
const LABEL_AT = HEAD_BYTES + 17;
const MAX_DESCRIPTION_BYTES = LABEL_AT + MAX_LABEL_BYTES + 1;
/** Maximum size of a text or SVG to search. */
export const MAX_TEXT_BYTES = 8 * 2 ** 20;
/** A search reads a file in chunks of at most this size. */
export const CHUNK_BYTES = 2 ** 20;
const SVG_ELEMENT = '<c2pa:manifest';

/**
 * Returns undefined when the file has no complete store, and for a text or SVG of more than 8 MiB. Verifies nothing.
 */
export async function findStore(file: ByteSource, mediaType: string): Promise<ByteSource | undefined> {
  if (isEncoded(mediaType)) return findEncodedStore(file, mediaType);
  const source = await toContiguous(file, mediaType);
  const described = source === undefined ? -1 : await findBytes(source, STORE);
  const start = described - 4 - HEAD_BYTES;
  if (source === undefined || start < 0) return undefined;
  const head = await openCursor(joinPieces(source, [{ start, end: start + HEAD_BYTES }])).take(HEAD_BYTES);
  const end = start + (head?.readUInt32BE(0) ?? 0);
  const isWhole = end >= start + HEAD_BYTES && end <= source.sizeBytes;
  if (!isWhole || head?.toString('latin1', 4) !== SUPERBOX) return undefined;
  return joinPieces(source, [{ start, end }]);
}

async function toContiguous(file: ByteSource, mediaType: string): Promise<ByteSource | undefined> {
  if (mediaType === 'image/jpeg') return joinSegments(file);
  return mediaType === 'image/gif' ? joinSubBlocks(file) : file;
}

/** Texts and SVG. Only a media thread may search them, because decoding the whole file takes up to a second. */
export function isEncoded(mediaType: string): boolean {
  return mediaType === SVG || isText({ mediaType });
}

async function findEncodedStore(file: ByteSource, mediaType: string): Promise<ByteSource | undefined> {
  if (file.sizeBytes > MAX_TEXT_BYTES) return undefined;
  const text = file.bytes ?? (await readWhole(file));
  const store = text && (mediaType === SVG ? readSvgStore(text) : readTextStore(text, mediaType));
  return store && toSource(Buffer.from(store));
}

function readTextStore(text: Uint8Array, mediaType: string): Uint8Array | undefined {
  const located = locateTextManifest(text, { isHtml: mediaType === HTML });
  return located.kind === 'store' ? located.store : undefined;
}

/** The content of the element `c2pa:manifest` is base64 (C2PA 2.2 §A.3.3). */
function readSvgStore(svg: Uint8Array): Uint8Array | undefined {
  const text = Buffer.from(svg.buffer, svg.byteOffset, svg.byteLength).toString('latin1');
  const at = text.indexOf(SVG_ELEMENT);
  const [start, end] = [text.indexOf('>', at) + 1, text.indexOf('<', at + 1)];
  return at === -1 || start === 0 || end < start ? undefined : fromBase64(text.slice(start, end).trim());
}

interface ManifestPiece extends Piece {
  /** Empty for a label of more than 250 bytes, and for a box without a label. */
  label: string;
}

/** Reads each label only from a description box, because other texts in the store can look like a label. */
export async function listManifests(store: ByteSource): Promise<ManifestPiece[] | undefined> {
  const cursor = openCursor(store);
  const manifests: ManifestPiece[] = [];
  try {
    await cursor.skip(HEAD_BYTES);
    let boxes = 0;
    for (let at = HEAD_BYTES; at < store.sizeBytes; boxes += 1) {
      const head = await cursor.take(HEAD_BYTES);
      const length = head?.readUInt32BE(0) ?? 0;
      if (length < HEAD_BYTES || at + length > store.sizeBytes || boxes === MAX_MANIFESTS) return undefined;
      const isManifest = head?.toString('latin1', 4) === SUPERBOX;
      const described = isManifest ? Math.min(length - HEAD_BYTES, MAX_DESCRIPTION_BYTES) : 0;
      const description = await cursor.take(described);
      if (isManifest) manifests.push({ start: at, end: at + length, label: readLabel(description) });
      await cursor.skip(length - HEAD_BYTES - described);
      at += length;
    }
  } finally {
    await cursor.close();
  }
  return manifests;
}

/** A label ends with a zero byte (ISO/IEC 19566-5 §A.3). */
function readLabel(description: Buffer | undefined): string {
  if (description?.toString('latin1', 4, HEAD_BYTES) !== DESCRIPTION) return '';
  const end = description.indexOf(0, LABEL_AT);
  return end === -1 ? '' : description.toString('utf8', LABEL_AT, end);
}

/** The active manifest is the last one (C2PA 2.2 §11.1.4.2). */
export function cutActiveManifest(store: ByteSource, manifests: readonly Piece[]): ByteSource | undefined {
  const last = manifests.at(-1);
  if (last === undefined || store.bytes === undefined) return last && joinPieces(store, [last]);
  // A copy, so that the other manifests do not stay in memory.
  return toSource(Buffer.from(store.bytes.subarray(last.start, last.end)));
}

/** Each later part of a box repeats the head of the box, which is left out here. Undefined for too many segments. */
async function joinSegments(file: ByteSource): Promise<ByteSource | undefined> {
  const parts: Piece[] = [];
  let segments = 0;
  let at = 2;
  let end = 0;
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of file.read(0, file.sizeBytes)) {
    const block = Buffer.concat([rest, chunk]);
    end += chunk.length;
    const start = end - block.length;
    const isLast = end >= file.sizeBytes;
    // A head that crosses the end of this block is complete in the next block.
    while (isLast || at + SEGMENT_HEAD_BYTES <= end) {
      const segment = readSegment(block, at - start);
      if (segment === undefined) return joinPieces(file, parts);
      parts.push(...partsOf(segment, { start: at, end: file.sizeBytes }));
      segments += 1;
      if (segments > MAX_SEGMENTS || parts.length > MAX_PARTS) return undefined;
      at += segment.sizeBytes;
      if (segments % PIECES_PER_SLICE === 0) await letOthersRun();
    }
    rest = block.subarray(Math.min(at - start, block.length));
  }
  return joinPieces(file, parts);
}

/** Joins the sub-blocks of the extension that begins with a store. Each begins with its length (GIF89a §15). */
async function joinSubBlocks(file: ByteSource): Promise<ByteSource | undefined> {
  let at = (await findBytes(file, STORE)) - 4 - HEAD_BYTES - 1;
  if (at < 0) return undefined;
  const blocks: Piece[] = [];
  let end = at;
  for await (const chunk of file.read(at, file.sizeBytes)) {
    const start = end;
    end += chunk.length;
    while (at < end) {
      const length = chunk[at - start] ?? 0;
      if (length === 0) return joinPieces(file, blocks);
      if (blocks.length === MAX_SUB_BLOCKS) return undefined;
      blocks.push({ start: at + 1, end: Math.min(at + 1 + length, file.sizeBytes) });
      at += 1 + length;
      if (blocks.length % PIECES_PER_SLICE === 0) await letOthersRun();
    }
  }
  return joinPieces(file, blocks);
}

interface Segment {
  sizeBytes: number;
  partAt?: number;
}

/** The segment begins at `start`. The file ends at `end`. */
function partsOf({ sizeBytes, partAt }: Segment, { start, end }: Piece): Piece[] {
  const after = Math.min(start + sizeBytes, end);
  return partAt === undefined ? [] : [{ start: Math.min(start + partAt, after), end: after }];
}

/** `sizeBytes` includes the marker. `partAt`: offset of the part of a box. */
function readSegment(block: Buffer, at: number): Segment | undefined {
  if (at + 4 > block.length || block[at] !== 0xff) return undefined;
  const sizeBytes = 2 + Math.max(2, block.readUInt16BE(at + 2));
  const isLong = sizeBytes >= SEGMENT_HEAD_BYTES && at + SEGMENT_HEAD_BYTES <= block.length;
  if (block[at + 1] !== APP11 || !isLong || block.toString('latin1', at + 4, at + 6) !== 'JP')
    return { sizeBytes };
  const repeated = block.readUInt32BE(at + 8) === 1 ? 0 : HEAD_BYTES;
  return { sizeBytes, partAt: SEGMENT_HEAD_BYTES + repeated };
}
