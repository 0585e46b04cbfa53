/** Runs `read` at most once at a time, and shares its value for `forMs`. Does not cache a failure. */
export function shareRecent<Value>(read: () => Promise<Value>, forMs: number): () => Promise<Value> {
  let running: Promise<Value> | undefined;
  let recent: { value: Value; until: number } | undefined;
  const run = async () => {
    try {
      const value = await read();
      recent = { value, until: performance.now() + forMs };
      return value;
    } finally {
      running = undefined;
    }
  };
  return () => {
    if (recent !== undefined && performance.now() < recent.until) return Promise.resolve(recent.value);
    running ??= run();
    return running;
  };
}
