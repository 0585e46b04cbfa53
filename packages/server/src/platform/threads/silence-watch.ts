/** Watches a thread that answers each request. */
export interface SilenceWatch {
  /** A request was sent. */
  asked(): void;
  answered(): void;
  end(): void;
}

/**
 * Calls `onSilence` once the thread owes an answer and has sent none for `silentMs`. The timer fires twice in that time:
 * after a stall of this process, answers may have arrived that it has not read yet.
 */
export function createSilenceWatch(silentMs: number, onSilence: () => void): SilenceWatch {
  let owed = 0;
  let hasEnded = false;
  let timer: NodeJS.Timeout | undefined;

  function restart(): void {
    clearInterval(timer);
    if (owed === 0 || hasEnded) return;
    let ticks = 0;
    timer = setInterval(() => {
      ticks += 1;
      if (ticks < 2) return;
      clearInterval(timer);
      onSilence();
    }, silentMs / 2);
  }

  return {
    asked() {
      owed += 1;
      if (owed === 1) restart();
    },
    answered() {
      owed -= 1;
      restart();
    },
    end() {
      hasEnded = true;
      clearInterval(timer);
    },
  };
}
