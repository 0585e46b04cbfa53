import { useRef } from 'react';
import type { Selection } from './use-selection.js';

export interface RecordFocus {
  /** Shows a record, and moves the focus to it. */
  show: (id: string | undefined) => void;
  /** Returns the focus to the element that opened the record. */
  close: () => void;
  takesFocus: (id: string) => boolean;
}

export function useRecordFocus(selection: Selection): RecordFocus {
  const opener = useRef<Element>(null);
  const focusOn = useRef<string>(undefined);
  return {
    show(id) {
      if (id === undefined) return;
      const active = document.activeElement;
      if (active?.closest('.record') === null) opener.current = active;
      // If the record is already shown, `takesFocus` does not move the focus.
      if (selection.id === id) document.querySelector<HTMLElement>('.record h2')?.focus();
      else focusOn.current = id;
      selection.show(id);
    },
    close() {
      const back = opener.current;
      selection.select(undefined);
      if (back instanceof HTMLElement && back.isConnected) back.focus();
      else document.querySelector<HTMLElement>('.stage')?.focus();
      opener.current = null;
    },
    takesFocus(id) {
      const isWanted = focusOn.current === id;
      focusOn.current = undefined;
      return isWanted;
    },
  };
}
