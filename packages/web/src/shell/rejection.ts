const REJECTED = 'colophon:rejected';

/** The service rejected the session or the key, so the page reads the session again. */
export function reportRejection(): void {
  window.dispatchEvent(new Event(REJECTED));
}

/** The returned function ends the calls. */
export function listenToRejections(onRejection: () => void): () => void {
  window.addEventListener(REJECTED, onRejection);
  return () => window.removeEventListener(REJECTED, onRejection);
}
