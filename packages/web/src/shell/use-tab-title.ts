import { useEffect } from 'react';
import { shell } from '../strings/shell.js';

/** Undefined keeps the title of the story. */
export function useTabTitle(title: string | undefined): void {
  useEffect(() => {
    if (title === undefined) return;
    const before = document.title;
    document.title = `${title} · ${shell.name}`;
    return () => {
      document.title = before;
    };
  }, [title]);
}
