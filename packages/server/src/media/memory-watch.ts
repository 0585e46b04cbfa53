const SAMPLE_EVERY_MS = 200;

export interface MemoryWatchOptions<Subject> {
  /** How much the process may grow while one of them is at work. */
  limitBytes: number;
  onExceeded(subject: Subject): void;
}

/** Sees to what a parser takes while it works: buffers and compiled code's memory are in no limit of a thread. */
export interface MemoryWatch<Subject> {
  begin(subject: Subject): void;
  end(subject: Subject): void;
}

/**
 * Memory is known of the process alone, so the growth counts from the beginning of each subject's work, and of
 * several that exceed the limit the one that began last is named: the others are as likely to have been beside it.
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
