/**
 * Returns a function that runs `read` at most once at a time. For `forMs` after a read, all callers get its value. A
 * failure reaches the callers that waited for this read, and is not cached.
 */
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
