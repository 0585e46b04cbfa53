import { SLOWEST_BYTES_PER_MS } from './pin-content.js';

/**
 * All times are in ms. The first bytes must arrive within `firstMs`, then `SLOWEST_BYTES_PER_MS * stepMs` bytes in each
 * `stepMs`.
 */
export interface FetchPace {
  firstMs: number;
  stepMs: number;
}

export const FETCH_PACE: FetchPace = { firstMs: 30_000, stepMs: 10_000 };

/** `signal` aborts when the bytes arrive too slowly. */
export interface Progress {
  signal: AbortSignal;
  count(sizeBytes: number): void;
  end(): void;
}

export function watchProgress({ firstMs, stepMs }: FetchPace): Progress {
  const slow = new AbortController();
  const fewestBytes = SLOWEST_BYTES_PER_MS * stepMs;
  let arrivedBytes: number | undefined;
  const look = () => {
    if ((arrivedBytes ?? 0) < fewestBytes)
      return slow.abort(new Error('The pinning service sends the content too slowly'));
    arrivedBytes = 0;
    timer = setTimeout(look, stepMs);
  };
  let timer = setTimeout(look, firstMs);
  return {
    signal: slow.signal,
    count(sizeBytes) {
      if (arrivedBytes === undefined) {
        clearTimeout(timer);
        timer = setTimeout(look, stepMs);
      }
      arrivedBytes = (arrivedBytes ?? 0) + sizeBytes;
    },
    end: () => clearTimeout(timer),
  };
}
