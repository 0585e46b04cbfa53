import { useRef } from 'react';
import type { Selection } from './use-selection.js';

export interface RecordFocus {
  /** Also moves the focus to the record. */
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
      // The record is already shown, so `takesFocus` would not move the focus.
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
