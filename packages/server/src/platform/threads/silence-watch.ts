export interface SilenceWatch {
  /** Records that a message was sent to the thread. */
  asked(): void;
  answered(): void;
  end(): void;
}

/**
 * Calls `onSilence` when the thread owes an answer and sends nothing for `silentMs`. It takes two ticks of the timer:
 * after a block of this process, the process reads the waiting answers before the second tick.
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
