/** Runs a limited number of tasks at a time, newest first. A full queue drops its oldest tasks. */
export interface WaitingList {
  add(name: string): void;
  /** Starts no task before `untilMs`, and then continues by itself. */
  pause(untilMs: number): void;
}

interface Terms {
  atOnce: number;
  mostWaiting: number;
  work: (name: string) => Promise<void>;
}

export function createWaitingList({ atOnce, mostWaiting, work }: Terms): WaitingList {
  const waiting = new Set<string>();
  const running = new Set<string>();
  let pausedUntilMs = 0;
  const goOn = () => {
    const next = [...waiting].at(-1);
    if (next === undefined || running.size >= atOnce || Date.now() < pausedUntilMs) return;
    waiting.delete(next);
    running.add(next);
    void work(next).finally(() => {
      running.delete(next);
      goOn();
    });
    goOn();
  };
  /** Timers sometimes end a millisecond early. */
  const resume = () => {
    const leftMs = pausedUntilMs - Date.now();
    if (leftMs > 0) setTimeout(resume, leftMs);
    else goOn();
  };
  return {
    add(name) {
      if (running.has(name)) return;
      waiting.delete(name);
      waiting.add(name);
      const [oldest] = waiting;
      if (waiting.size > mostWaiting && oldest !== undefined) waiting.delete(oldest);
      goOn();
    },
    pause(untilMs) {
      if (untilMs <= Math.max(Date.now(), pausedUntilMs)) return;
      pausedUntilMs = untilMs;
      resume();
    },
  };
}
