/** A name identifies a witness, or a witness and a log. Each failure doubles the pause of its name. */
export interface Backoff {
  isPaused(name: string): boolean;
  hasFailed(name: string): boolean;
  listPaused(): string[];
  noteFailure(name: string): void;
  noteSuccess(name: string): void;
}

const MAX_NAMES = 100_000;

export function createBackoff(
  { firstPauseMs, maxPauseMs }: { firstPauseMs: number; maxPauseMs: number },
  now: () => number = () => performance.now(),
): Backoff {
  const pauses = new Map<string, { untilMs: number; pauseMs: number }>();
  return {
    isPaused: (name) => (pauses.get(name)?.untilMs ?? Number.NEGATIVE_INFINITY) > now(),
    hasFailed: (name) => pauses.has(name),
    listPaused: () => [...pauses].flatMap(([name, { untilMs }]) => (untilMs > now() ? [name] : [])),
    noteFailure(name) {
      const known = pauses.get(name);
      // Concurrent requests that fail together count as one failure.
      if (known !== undefined && known.untilMs > now()) return;
      const pauseMs = Math.min(known === undefined ? firstPauseMs : known.pauseMs * 2, maxPauseMs);
      if (pauses.size >= MAX_NAMES) pauses.clear();
      pauses.set(name, { untilMs: now() + pauseMs, pauseMs });
    },
    noteSuccess: (name) => void pauses.delete(name),
  };
}
