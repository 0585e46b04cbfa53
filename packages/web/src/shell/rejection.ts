const REJECTED = 'colophon:rejected';

/** Reports that the service rejected the session or the key of a request. The page then reads the session again. */
export function reportRejection(): void {
  window.dispatchEvent(new Event(REJECTED));
}

/** Calls `onRejection` after each report. The returned function ends the calls. */
export function listenToRejections(onRejection: () => void): () => void {
  window.addEventListener(REJECTED, onRejection);
  return () => window.removeEventListener(REJECTED, onRejection);
}
