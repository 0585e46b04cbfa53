const SAMPLE_EVERY_MS = 200;

export interface MemoryWatchOptions<Subject> {
  /** How much the memory of the process may grow during this work. */
  limitBytes: number;
  onExceeded(subject: Subject): void;
}

/**
 * Limits the memory of a parser while it works. The limits of a thread include neither buffers nor the memory of
 * compiled code.
 */
export interface MemoryWatch<Subject> {
  begin(subject: Subject): void;
  end(subject: Subject): void;
}

/**
 * Measures the memory of the process, because Node reports none by thread. The growth counts from the begin of each
 * subject's work. If several subjects exceed the limit, the one that began last is reported: the others may only have
 * worked next to it.
 */
export function createMemoryWatch<Subject>(options: MemoryWatchOptions<Subject>): MemoryWatch<Subject> {
  const { limitBytes, onExceeded } = options;
  const bytesAtBegin = new Map<Subject, number>();
  let timer: NodeJS.Timeout | undefined;
  const sample = () => {
    const bytes = process.memoryUsage.rss();
    const exceeding = [...bytesAtBegin].filter(([, before]) => bytes - before > limitBytes);
    const [subject] = exceeding.at(-1) ?? [];
    if (subject !== undefined) onExceeded(subject);
  };
  return {
    begin(subject) {
      bytesAtBegin.set(subject, process.memoryUsage.rss());
      timer ??= setInterval(sample, SAMPLE_EVERY_MS).unref();
    },
    end(subject) {
      bytesAtBegin.delete(subject);
      if (bytesAtBegin.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
}
