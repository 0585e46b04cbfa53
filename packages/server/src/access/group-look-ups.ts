/** The map has an entry for each key that exists, by hex digest. */
type LookForKeys<Found> = (digests: readonly Buffer[]) => Promise<Map<string, Found>>;

interface WaitingKey<Found> {
  digest: Buffer;
  settle(found: Found | undefined): void;
  fail(error: unknown): void;
}

/** Maximum number of concurrent statements, so that most database connections stay free. */
const AT_ONCE = 4;
/** Maximum number of keys in one statement. */
const MAX_TOGETHER = 1_000;
/** For this time after a look-up of an unknown key, statements begin at least `PACE_MS` apart. */
const SUSPICIOUS_MS = 1_000;
const PACE_MS = 20;

/**
 * Keys that wait share the next statement. So callers with random keys cause at most about 50 statements a second, and
 * the service still looks up the valid keys of other callers, even from the same address.
 */
export function groupLookUps<Found>(
  look: LookForKeys<Found>,
): (digest: Buffer) => Promise<Found | undefined> {
  let waiting: WaitingKey<Found>[] = [];
  let running = 0;
  let startedMs = Number.NEGATIVE_INFINITY;
  let unknownMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const waitMs = () =>
    performance.now() - unknownMs < SUSPICIOUS_MS ? startedMs + PACE_MS - performance.now() : 0;

  function startNext(): void {
    if (waiting.length === 0 || running >= AT_ONCE || timer !== undefined) return;
    const leftMs = waitMs();
    if (leftMs <= 0) return void runTogether();
    timer = setTimeout(() => {
      timer = undefined;
      startNext();
    }, leftMs);
  }

  async function runTogether(): Promise<void> {
    const keys = waiting.slice(0, MAX_TOGETHER);
    waiting = waiting.slice(MAX_TOGETHER);
    running += 1;
    startedMs = performance.now();
    try {
      const found = await look(keys.map(({ digest }) => digest));
      if (keys.some(({ digest }) => !found.has(digest.toString('hex')))) unknownMs = performance.now();
      for (const { digest, settle } of keys) settle(found.get(digest.toString('hex')));
    } catch (error) {
      for (const { fail } of keys) fail(error);
    } finally {
      running -= 1;
      startNext();
    }
  }

  return (digest) =>
    new Promise((settle, fail) => {
      waiting.push({ digest, settle, fail });
      startNext();
    });
}
