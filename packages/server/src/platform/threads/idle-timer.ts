/**
 * How long a thread without work lives on. It holds tens of megabytes that nothing else can use, and another is started
 * in a fraction of a second.
 */
export const IDLE_MS = 30_000;

/** Waits until a thread has had no work for a while. It does not keep the process alive. */
export interface IdleTimer {
  /** The thread has work. */
  busy(): void;
  /** The thread has none left. */
  idle(): void;
}

/** Calls `onIdle` once `idleMs` have passed since the last `idle()` without `busy()`. */
export function createIdleTimer(idleMs: number, onIdle: () => void): IdleTimer {
  let timer: NodeJS.Timeout | undefined;
  const busy = () => clearTimeout(timer);
  return {
    busy,
    idle() {
      busy();
      timer = setTimeout(onIdle, idleMs).unref();
    },
  };
}
