import { setImmediate as letOthersRun } from 'node:timers/promises';

/** `read` yields the bytes from `start` to `end` (exclusive) in chunks. */
export interface ByteSource {
  sizeBytes: number;
  /** All bytes, when the source holds them in memory. */
  bytes?: Buffer;
  read(start: number, end: number): AsyncIterable<Uint8Array>;
}

/** The bytes of a source from `start` to `end` (exclusive). */
export interface Piece {
  start: number;
  end: number;
}

/** Number of pieces that a read, or a search for pieces, handles before it lets other requests run. */
export const PIECES_PER_SLICE = 512;

/** A read joins up to 512 pieces of a chunk at once, because a file can have very many pieces of one byte. */
export function joinPieces(source: ByteSource, pieces: readonly Piece[]): ByteSource {
  const ends = new Float64Array(pieces.length);
  let sizeBytes = 0;
  pieces.forEach(({ start, end }, index) => {
    sizeBytes += end - start;
    ends[index] = sizeBytes;
  });
  return {
    sizeBytes,
    async *read(start, end) {
      const wanted = cutPieces(pieces, ends, { start, end: Math.min(end, sizeBytes) });
      const [first, last] = [wanted[0], wanted.at(-1)];
      if (first === undefined || last === undefined) return;
      yield* readPieces(source, wanted, { start: first.start, end: last.end });
    },
  };
}

async function* readPieces(source: ByteSource, wanted: readonly Piece[], { start, end }: Piece) {
  let at = start;
  let next = 0;
  for await (const chunk of source.read(start, end)) {
    for (;;) {
      const slice = wanted.slice(next, next - (next % PIECES_PER_SLICE) + PIECES_PER_SLICE);
      const passed = slice.filter((piece) => piece.end <= at + chunk.length).length;
      const joined = cutChunk(chunk, slice.slice(0, passed + 1), at);
      if (joined.length > 0) yield joined;
      next += passed;
      if (passed < slice.length || slice.length === 0) break;
      if (next % PIECES_PER_SLICE === 0) await letOthersRun();
    }
    at += chunk.length;
  }
}

/** The chunk begins at the offset `at`. A single part is returned without a copy. */
function cutChunk(chunk: Uint8Array, pieces: readonly Piece[], at: number): Uint8Array {
  const parts = pieces.map(({ start, end }) =>
    chunk.subarray(Math.max(0, start - at), Math.max(0, end - at)),
  );
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
}

/** `start`, `end`: offsets in the joined pieces. `ends`: the offset at which each piece ends in the joined pieces. */
function cutPieces(pieces: readonly Piece[], ends: Float64Array, { start, end }: Piece): readonly Piece[] {
  if (start >= end) return [];
  const [from, to] = [ends.findIndex((after) => after > start), ends.findIndex((after) => after >= end)];
  const [first, last] = [pieces[from], pieces[to]];
  if (first === undefined || last === undefined) return [];
  const cut = pieces.slice(from, to + 1);
  const skipped = start - (ends[from - 1] ?? 0);
  const beyond = (ends[to] ?? 0) - end;
  cut[cut.length - 1] = { start: last.start, end: last.end - beyond };
  cut[0] = { start: first.start + skipped, end: cut[0]?.end ?? first.end };
  return cut;
}

export function toSource(bytes: Buffer): ByteSource {
  return {
    sizeBytes: bytes.length,
    bytes,
    read: async function* (start, end) {
      yield bytes.subarray(start, end);
    },
  };
}

/** Returns undefined when the source ends early. Throws on abort, between chunks. */
export async function readWhole(
  { sizeBytes, read }: ByteSource,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const whole = new Uint8Array(sizeBytes);
  let at = 0;
  for await (const chunk of read(0, sizeBytes)) {
    signal?.throwIfAborted();
    whole.set(chunk, at);
    at += chunk.length;
  }
  return at === sizeBytes ? whole : undefined;
}

/** A caller of the service must not choose the wanted bytes: a search for more than 250 bytes can take long. */
export async function findBytes(source: ByteSource, wanted: Uint8Array): Promise<number> {
  let kept: Uint8Array = new Uint8Array();
  let at = 0;
  for await (const chunk of source.read(0, source.sizeBytes)) {
    const window = Buffer.concat([kept, chunk]);
    const found = window.indexOf(wanted);
    if (found !== -1) return at + found;
    const rest = Math.max(0, window.length - wanted.length + 1);
    kept = window.subarray(rest);
    at += rest;
  }
  return -1;
}

export interface Cursor {
  /** Returns undefined when fewer bytes are left. */
  take(count: number): Promise<Buffer | undefined>;
  /** Skips bytes, also beyond the end. */
  skip(count: number): Promise<void>;
  close(): Promise<void>;
}

export function openCursor(source: ByteSource): Cursor {
  const chunks = source.read(0, source.sizeBytes)[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  async function pull(): Promise<boolean> {
    const next = await chunks.next();
    if (next.done === true) return false;
    rest = Buffer.concat([rest, next.value]);
    return true;
  }
  return {
    async take(count) {
      while (rest.length < count) if (!(await pull())) return undefined;
      const taken = rest.subarray(0, count);
      rest = rest.subarray(count);
      return taken;
    },
    async skip(count) {
      let left = count;
      for (;;) {
        const passed = Math.min(left, rest.length);
        rest = rest.subarray(passed);
        left -= passed;
        if (left === 0 || !(await pull())) return;
      }
    },
    close: async () => void (await chunks.return?.()),
  };
}
