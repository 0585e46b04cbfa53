import { useEffect, useRef, useState } from 'react';
import { library } from '../strings/library.js';
import { Field } from '../ui/field.js';
import { MAX_CHARACTERS } from './filters.js';

const PAUSE_MS = 300;

/** Starts after a pause in typing. `value`: the search text in the address. */
export function SearchBox({ value, onSearch }: { value: string; onSearch: (text: string) => void }) {
  const [typed, setTyped] = useState(value);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const searched = useRef(value);
  // Keeps the latest `onSearch`. An older one would undo a filter that the user has chosen since its render.
  const latest = useRef(onSearch);
  latest.current = onSearch;
  useEffect(() => {
    if (value === searched.current) return;
    // Back or `Clear` changed the address.
    clearTimeout(waiting.current);
    searched.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => () => clearTimeout(waiting.current), []);
  const search = (text: string) => {
    clearTimeout(waiting.current);
    searched.current = text.trim();
    latest.current(text.trim());
  };
  const take = (text: string) => {
    setTyped(text);
    clearTimeout(waiting.current);
    waiting.current = setTimeout(search, PAUSE_MS, text);
  };
  return (
    <Field
      label={library.search}
      hint={library.searchHint}
      type="search"
      value={typed}
      maxLength={MAX_CHARACTERS}
      onChange={(event) => take(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') search(typed);
      }}
    />
  );
}
