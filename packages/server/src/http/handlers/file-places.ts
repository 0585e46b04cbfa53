import { ServiceError } from '../../errors.js';

/** A place for a file of the public detector, from the beginning of its upload until `end`. */
export interface FilePlace {
  /** Call this function when the file has arrived. From then on, the file keeps its place. */
  arrived(): void;
  end(): void;
}

/** Limits the files that are on disk at the same time. */
export interface FilePlaces {
  /**
   * If all places are taken, takes the place of the oldest file that arrives slowly, and calls its `cut`. So slow
   * senders do not keep others out. Throws `Unavailable` if no file arrives slowly.
   */
  take(cut: (error: ServiceError) => void): FilePlace;
}

interface ArrivingFile {
  sinceMs: number;
  cut(error: ServiceError): void;
}

/** A file is slow when it has not arrived completely after `slowMs`. */
export function createFilePlaces({ places, slowMs }: { places: number; slowMs: number }): FilePlaces {
  /** Oldest first. */
  const arriving = new Set<ArrivingFile>();
  let taken = 0;

  function cutSlowest(): boolean {
    const [oldest] = arriving;
    if (oldest === undefined || performance.now() - oldest.sinceMs < slowMs) return false;
    arriving.delete(oldest);
    oldest.cut(tooSlow(slowMs));
    return true;
  }

  return {
    take(cut) {
      if (taken >= places && !cutSlowest()) throw noPlace();
      const file: ArrivingFile = { sinceMs: performance.now(), cut };
      arriving.add(file);
      taken += 1;
      return {
        arrived: () => void arriving.delete(file),
        end() {
          arriving.delete(file);
          taken -= 1;
        },
      };
    },
  };
}

function tooSlow(slowMs: number): ServiceError {
  const message = `The file did not arrive within ${slowMs / 1_000} s, and another file waited for its place.`;
  return new ServiceError('Timeout', message, { recovery: 'Send the file again, and faster.' });
}

function noPlace(): ServiceError {
  return new ServiceError('Unavailable', 'The service receives or examines too many other files.', {
    recovery: 'Send the request again in a moment.',
    headers: { 'retry-after': '1' },
  });
}
