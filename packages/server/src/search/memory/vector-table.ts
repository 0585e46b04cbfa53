import { signBytes } from './sign-scan.js';

/** Vectors are stored in chunks, so that growth copies none. */
const CHUNK_VECTORS = 256;
/** Size of the evidence that is stored next to a vector. */
const KEPT_EVIDENCE_BYTES = 512;
const FIRST_ROWS = 64;
const NAME_BYTES = 220;

/** The index of one project, method and vector length: all signs, and the recently used vectors. */
export interface VectorTable {
  readonly dimensions: number;
  readonly rows: number;
  /** Returns the signs of all rows, as words of 32 bits. */
  signs(): Int32Array;
  nameOf(row: number): string;
  typeOf(row: number): string;
  put(content: { cid: string; type: string }, signs: Uint8Array): number;
  /**
   * Stores the vector of a row and its evidence. A table with evidence stores neither if the evidence has another size
   * than `KEPT_EVIDENCE_BYTES`.
   */
  keepVector(row: number, vector: Float32Array, evidence: Uint8Array | undefined): void;
  rowOf(cid: string): number | undefined;
  hasVector(row: number): boolean;
  cosine(row: number, asked: Float32Array): number;
  evidenceOf(row: number): Uint8Array | undefined;
  bytes(): number;
  /** The part of `bytes` that `dropVectors(0)` frees. */
  vectorBytes(): number;
  /** Removes the oldest chunks until at most the share `keep` (0 to 1) is left. */
  dropVectors(keep: number): void;
}

interface Chunk {
  vectors: Float32Array;
  evidence: Uint8Array | undefined;
}

export function createVectorTable(dimensions: number, keepsEvidence: boolean): VectorTable {
  const words = signBytes(dimensions) / 4;
  let signs = new Int32Array(FIRST_ROWS * words);
  /** The slot of a row's vector, from 1; 0 when the row has no vector. */
  let slots = new Int32Array(FIRST_ROWS);
  let chunks: Chunk[] = [];
  let usedSlots = 0;
  const names: string[] = [];
  const types: string[] = [];
  const rowOf = new Map<string, number>();

  function grow(): void {
    const more = new Int32Array(signs.length * 2);
    more.set(signs);
    signs = more;
    const moreSlots = new Int32Array(slots.length * 2);
    moreSlots.set(slots);
    slots = moreSlots;
  }

  function addRow(cid: string): number {
    const row = names.length;
    if (row === slots.length) grow();
    names.push(cid);
    rowOf.set(cid, row);
    return row;
  }

  function vectorBytes(): number {
    return chunks.length * CHUNK_VECTORS * (dimensions * 4 + (keepsEvidence ? KEPT_EVIDENCE_BYTES : 0));
  }

  function openSlot(): number {
    if (usedSlots === chunks.length * CHUNK_VECTORS)
      chunks.push({
        vectors: new Float32Array(CHUNK_VECTORS * dimensions),
        evidence: keepsEvidence ? new Uint8Array(CHUNK_VECTORS * KEPT_EVIDENCE_BYTES) : undefined,
      });
    usedSlots += 1;
    return usedSlots;
  }

  function placeOf(row: number): { chunk: Chunk; at: number } | undefined {
    const slot = (slots[row] ?? 0) - 1;
    const chunk = slot < 0 ? undefined : chunks[Math.floor(slot / CHUNK_VECTORS)];
    return chunk && { chunk, at: slot % CHUNK_VECTORS };
  }

  return {
    dimensions,
    get rows() {
      return names.length;
    },
    signs: () => signs,
    nameOf: (row) => names[row] ?? '',
    typeOf: (row) => types[row] ?? '',
    put({ cid, type }, bytes) {
      const row = rowOf.get(cid) ?? addRow(cid);
      types[row] = type;
      new Uint8Array(signs.buffer).set(bytes, row * words * 4);
      return row;
    },
    keepVector(row, vector, evidence) {
      if (keepsEvidence && evidence?.length !== KEPT_EVIDENCE_BYTES) return;
      if ((slots[row] ?? 0) === 0) slots[row] = openSlot();
      const place = placeOf(row);
      place?.chunk.vectors.set(vector, place.at * dimensions);
      if (evidence !== undefined) place?.chunk.evidence?.set(evidence, place.at * KEPT_EVIDENCE_BYTES);
    },
    rowOf: (cid) => rowOf.get(cid),
    hasVector: (row) => (slots[row] ?? 0) !== 0,
    cosine(row, asked) {
      const place = placeOf(row);
      return place === undefined ? 0 : dotAt(place.chunk.vectors, place.at * dimensions, asked);
    },
    evidenceOf(row) {
      const place = placeOf(row);
      const from = (place?.at ?? 0) * KEPT_EVIDENCE_BYTES;
      return place?.chunk.evidence?.slice(from, from + KEPT_EVIDENCE_BYTES);
    },
    bytes: () => slots.length * (words * 4 + 4) + names.length * NAME_BYTES + vectorBytes(),
    vectorBytes,
    dropVectors(keep) {
      const dropped = chunks.length - Math.floor(chunks.length * keep);
      const gone = dropped * CHUNK_VECTORS;
      chunks = chunks.slice(dropped);
      usedSlots = Math.max(0, usedSlots - gone);
      for (let row = 0; row < names.length; row++) slots[row] = Math.max(0, (slots[row] ?? 0) - gone);
    },
  };
}

/** Four numbers at a time, so that V8 uses registers. */
function dotAt(stored: Float32Array, from: number, asked: Float32Array): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let at = 0;
  let place = from;
  for (const end = asked.length - 3; at < end; at += 4, place += 4) {
    a += (stored[place] ?? 0) * (asked[at] ?? 0);
    b += (stored[place + 1] ?? 0) * (asked[at + 1] ?? 0);
    c += (stored[place + 2] ?? 0) * (asked[at + 2] ?? 0);
    d += (stored[place + 3] ?? 0) * (asked[at + 3] ?? 0);
  }
  for (; at < asked.length; at++, place++) a += (stored[place] ?? 0) * (asked[at] ?? 0);
  return a + b + c + d;
}
