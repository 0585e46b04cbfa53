/** A source of bytes. `read` yields the bytes from `start` to `end` (exclusive) in chunks. */
export interface ByteSource {
  sizeBytes: number;
  /** All bytes, when the source holds them in memory. */
  bytes?: Buffer;
  read(start: number, end: number): AsyncIterable<Uint8Array>;
}

/** Part of a source: the bytes from `start` to `end` (exclusive). */
export interface Piece {
  start: number;
  end: number;
}

/** Joins pieces of a source. A read makes one pass and skips the bytes between the pieces. */
export function joinPieces(source: ByteSource, pieces: readonly Piece[]): ByteSource {
  return {
    sizeBytes: pieces.reduce((sum, { start, end }) => sum + end - start, 0),
    async *read(start, end) {
      const wanted = cutPieces(pieces, { start, end });
      const [first, last] = [wanted[0], wanted.at(-1)];
      if (first === undefined || last === undefined) return;
      let at = first.start;
      let next = 0;
      for await (const chunk of source.read(first.start, last.end)) {
        for (let piece = wanted[next]; piece !== undefined; piece = wanted[++next]) {
          const part = chunk.subarray(Math.max(0, piece.start - at), Math.max(0, piece.end - at));
          if (part.length > 0) yield part;
          if (piece.end > at + chunk.length) break;
        }
        at += chunk.length;
      }
    },
  };
}

/** Returns the parts of the pieces between two offsets. The offsets count the bytes of the joined pieces. */
function cutPieces(pieces: readonly Piece[], { start, end }: Piece): Piece[] {
  const cut: Piece[] = [];
  let before = 0;
  for (const piece of pieces) {
    const length = piece.end - piece.start;
    const from = piece.start + Math.max(0, start - before);
    const to = piece.start + Math.min(length, end - before);
    if (from < to) cut.push({ start: from, end: to });
    before += length;
  }
  return cut;
}

/** Returns bytes in memory as a source. */
export function toSource(bytes: Buffer): ByteSource {
  return {
    sizeBytes: bytes.length,
    bytes,
    read: async function* (start, end) {
      yield bytes.subarray(start, end);
    },
  };
}

/** Copies all bytes into a new array. Undefined when the source ends early. Throws on abort, between chunks. */
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

/** Returns the position of the first occurrence of the bytes; -1 when the source does not contain them. */
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

/** Reads a source from its beginning to its end, in small steps. */
export interface Cursor {
  /** Returns the next bytes; undefined when fewer are left. */
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
