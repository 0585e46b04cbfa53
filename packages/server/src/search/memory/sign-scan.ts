const WORD_BYTES = 4;
/** Maximum weight of a byte. It fits in 16 bits, and the sum over 512 bytes fits in 31 bits. */
const LARGEST = 32_000;

/** Returns the size of a vector's signs, rounded up to whole words. */
export function signBytes(dimensions: number): number {
  return Math.ceil(dimensions / 8 / WORD_BYTES) * WORD_BYTES;
}

/**
 * Returns 256 weights for each byte of signs, one for each value of the byte. The weight adds the number of the
 * requested vector for each set bit, and subtracts it for each other bit. The sum over all bytes estimates the cosine.
 */
export function weighSigns(vector: Float32Array): Int16Array {
  const bytes = signBytes(vector.length);
  let largest = 0;
  for (let byte = 0; byte < bytes; byte++)
    largest = Math.max(largest, -sumWithoutSigns(vector, byte, Math.abs));
  const scale = largest === 0 ? 0 : LARGEST / largest;
  const table = new Int16Array(bytes * 256);
  const doubled = new Int32Array(8);
  for (let byte = 0, base = 0; byte < bytes; byte++, base += 256) {
    for (let bit = 0; bit < 8; bit++) doubled[bit] = Math.round(2 * scale * (vector[byte * 8 + bit] ?? 0));
    table[base] = Math.round(scale * sumWithoutSigns(vector, byte, Number));
    for (let value = 1; value < 256; value++) {
      const rest = value & (value - 1);
      table[base + value] = (table[base + rest] ?? 0) + (doubled[Math.clz32(value ^ rest) - 24] ?? 0);
    }
  }
  return table;
}

function sumWithoutSigns(vector: Float32Array, byte: number, sizeOf: (number: number) => number): number {
  let sum = 0;
  for (let bit = 0; bit < 8; bit++) sum -= sizeOf(vector[byte * 8 + bit] ?? 0);
  return sum;
}

export interface BestRows {
  scan(
    signs: Int32Array,
    range: { from: number; to: number },
    asked: { turn: number; table: Int16Array },
  ): void;
  /** Returns the best rows, in no particular order. */
  kept(): KeptRows;
}

/** `turns[i]`: index of the requested vector that the row `rows[i]` matches. */
export interface KeptRows {
  rows: Int32Array;
  turns: Uint8Array;
}

/** A heap with the worst row on top. */
export function createBestRows(most: number): BestRows {
  const fits = new Int32Array(most);
  const rows = new Int32Array(most);
  const turns = new Uint8Array(most);
  let count = 0;

  function put(place: number, from: number): void {
    fits[place] = fits[from] ?? 0;
    rows[place] = rows[from] ?? 0;
    turns[place] = turns[from] ?? 0;
  }

  function set(place: number, fit: number, { row, turn }: { row: number; turn: number }): void {
    fits[place] = fit;
    rows[place] = row;
    turns[place] = turn;
  }

  function add(fit: number, which: { row: number; turn: number }): void {
    let place = count++;
    for (let above = (place - 1) >> 1; place > 0 && (fits[above] ?? 0) > fit; above = (place - 1) >> 1) {
      put(place, above);
      place = above;
    }
    set(place, fit, which);
  }

  function replaceWorst(fit: number, which: { row: number; turn: number }): void {
    let place = 0;
    for (let below = 1; below < most; below = 2 * place + 1) {
      if (below + 1 < most && (fits[below + 1] ?? 0) < (fits[below] ?? 0)) below++;
      if ((fits[below] ?? 0) >= fit) break;
      put(place, below);
      place = below;
    }
    set(place, fit, which);
  }

  return {
    scan(signs, { from, to }, { turn, table }) {
      const words = table.length / 1024;
      for (let row = from; row < to; row++) {
        let fit = 0;
        for (let word = 0, base = 0; word < words; word++, base += 1024) {
          const value = signs[row * words + word] ?? 0;
          fit +=
            (table[base + (value & 255)] ?? 0) +
            (table[base + 256 + ((value >>> 8) & 255)] ?? 0) +
            (table[base + 512 + ((value >>> 16) & 255)] ?? 0) +
            (table[base + 768 + (value >>> 24)] ?? 0);
        }
        if (count < most) add(fit, { row, turn });
        else if (fit > (fits[0] ?? 0)) replaceWorst(fit, { row, turn });
      }
    },
    kept: () => ({ rows: rows.subarray(0, count), turns: turns.subarray(0, count) }),
  };
}
