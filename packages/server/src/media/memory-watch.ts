const SAMPLE_EVERY_MS = 200;

export interface MemoryWatchOptions<Subject> {
  /** Maximum growth of the process's memory while a subject, such as a thread, works on one task. */
  limitBytes: number;
  /** Called every 200 ms while the growth exceeds the limit. */
  onExceeded(subject: Subject): void;
}

/** The heap limit of a thread is not enough: it includes neither buffers nor the memory of compiled code. */
export interface MemoryWatch<Subject> {
  begin(subject: Subject): void;
  end(subject: Subject): void;
}

/**
 * Measures the process, because Node does not report the memory of each thread. Reports only the subject that began
 * last: its memory is also part of the growth for the earlier ones.
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
