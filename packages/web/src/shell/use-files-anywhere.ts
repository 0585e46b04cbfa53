import { useEffect } from 'react';

export function useFilesAnywhere(onFiles: (files: File[]) => void): void {
  useEffect(() => {
    const take = (event: Event, given: DataTransfer | null) => {
      const files = Array.from(given?.files ?? []);
      // With `defaultPrevented`, a `FileDrop` has already handled the event.
      if (event.defaultPrevented || files.length === 0) return;
      event.preventDefault();
      onFiles(files);
    };
    const drop = (event: DragEvent) => take(event, event.dataTransfer);
    const paste = (event: ClipboardEvent) => take(event, event.clipboardData);
    // Without `preventDefault`, the browser opens the dropped file.
    const over = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    };
    window.addEventListener('drop', drop);
    window.addEventListener('dragover', over);
    window.addEventListener('paste', paste);
    return () => {
      window.removeEventListener('drop', drop);
      window.removeEventListener('dragover', over);
      window.removeEventListener('paste', paste);
    };
  }, [onFiles]);
}
