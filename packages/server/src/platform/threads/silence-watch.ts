/** Watches a thread that answers what it is asked, in order. */
export interface SilenceWatch {
  asked(): void;
  answered(): void;
  /** Watches no more. */
  end(): void;
}

/**
 * Calls `onSilence` once the thread owes an answer and gave none for `silentMs`. It looks twice in that time: when
 * this process itself was held up, answers lie there that it has not heard yet.
 */
export function createSilenceWatch(silentMs: number, onSilence: () => void): SilenceWatch {
  let owed = 0;
  let hasEnded = false;
  let timer: NodeJS.Timeout | undefined;

  function restart(): void {
    clearInterval(timer);
    if (owed === 0 || hasEnded) return;
    let looks = 0;
    timer = setInterval(() => {
      looks += 1;
      if (looks < 2) return;
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
