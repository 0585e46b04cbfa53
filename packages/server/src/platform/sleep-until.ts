/**
 * Waits for a time, or until one of the signals aborts; it does not keep the process alive. Without `AbortSignal.any`: a
 * signal keeps a reference to each that is made of it, and some live as long as the process.
 */
export function sleepUntil(ms: number, ...signals: AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms).unref();
    for (const signal of signals) signal.addEventListener('abort', end);
    if (signals.some(({ aborted }) => aborted)) end();
  });
}
