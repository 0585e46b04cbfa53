import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { isWordless } from '../library/filters.js';
import { useClient } from '../shell/project.js';
import { sayError } from '../shell/say-error.js';
import type { Person } from '../shell/use-people.js';
import { record } from '../strings/record.js';
import { Button } from '../ui/button.js';
import { Field } from '../ui/field.js';
import type { Input } from './draft.js';
import { findRecorded, findTitled } from './find-recorded.js';

const text = record.inputs;
const PAGE = 200;

export function SearchField({
  people,
  ownCid,
  onChoose,
}: {
  people: readonly Person[];
  /** The content of the draft cannot be its own source. */
  ownCid: string | undefined;
  onChoose: (cid: string, name: string) => void;
}) {
  const client = useClient();
  const [words, setWords] = useState('');
  const [found, setFound] = useState<readonly Input[]>();
  const [fault, setFault] = useState<string>();
  const [isSearching, setIsSearching] = useState(false);
  const ending = useRef<AbortController>(undefined);
  useEffect(() => () => ending.current?.abort(), []);
  const search = async () => {
    ending.current?.abort();
    ending.current = new AbortController();
    const { signal } = ending.current;
    setFound(undefined);
    setFault(isWordless(words) ? text.wordless : undefined);
    setIsSearching(!isWordless(words));
    if (isWordless(words)) return;
    try {
      const actions = client.actions.listAll({ limit: PAGE }, { signal });
      const titled = await findTitled(client, words, signal);
      const inputs = await findRecorded({ titled, actions, people }, words);
      if (signal.aborted) return;
      setFound(inputs.filter(({ cid }) => cid !== ownCid));
    } catch (error) {
      if (!signal.aborted) setFault(sayError(error));
    }
    if (!signal.aborted) setIsSearching(false);
  };
  // Searches on Enter. Without `preventDefault`, Enter submits the enclosing form.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    void search();
  };
  return (
    <search>
      <div className="row by-cid">
        <Field
          label={text.search}
          hint={text.searchHint}
          fault={fault}
          type="search"
          value={words}
          onChange={(event) => setWords(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <Button onClick={search}>{text.find}</Button>
      </div>
      <div aria-live="polite">
        {isSearching ? <p className="quiet">{text.searching}</p> : null}
        {found === undefined ? null : found.length === 0 ? <p>{text.noneFound}</p> : null}
        <ul className="inputs">
          {(found ?? []).map(({ cid, name }) => (
            <li key={cid} className="row">
              <span>{name}</span>
              <Button kind="quiet" onClick={() => onChoose(cid, name)} aria-label={text.addFound(name)}>
                {text.add}
              </Button>
            </li>
          ))}
        </ul>
      </div>
    </search>
  );
}
