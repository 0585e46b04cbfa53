import { type Action, parseContentId } from '@colophon/model';
import { useEffect, useMemo, useRef, useState } from 'react';
import { hashFile } from '../shell/hashing/hash-file.js';
import { nameAction } from '../shell/name-action.js';
import { useClient } from '../shell/project.js';
import { sayError } from '../shell/say-error.js';
import { nameContent } from '../shell/short-labels.js';
import type { Person } from '../shell/use-people.js';
import { useTitles } from '../shell/use-titles.js';
import { record } from '../strings/record.js';
import { Button } from '../ui/button.js';
import { Choice } from '../ui/choice.js';
import { Field } from '../ui/field.js';
import { FileDrop } from '../ui/file-drop.js';
import { Notice } from '../ui/notice.js';
import { Progress } from '../ui/progress.js';
import { type Draft, type Input, otherInputs, typeWithoutSources, withInputs } from './draft.js';
import { listPresent } from './find-recorded.js';
import { SearchField } from './search-field.js';

const text = record.inputs;
const NEWEST = 30;

export function InputsField({
  draft,
  people,
  onChange,
}: {
  draft: Draft;
  people: readonly Person[];
  onChange: (part: Partial<Draft>) => void;
}) {
  const { inputs, namesSources } = draft;
  const unsourced = typeWithoutSources(draft);
  const add = (cid: string, name: string) => onChange({ inputs: withInputs(inputs, [{ cid, name }]) });
  const remove = (cid: string) => onChange({ inputs: inputs.filter((input) => input.cid !== cid) });
  return (
    <fieldset className="card">
      <legend>{text.legend}</legend>
      <div role="status">
        {unsourced === undefined ? null : <Notice kind="warning">{text.missing[unsourced]}</Notice>}
        {otherInputs(draft).length === inputs.length ? null : <Notice kind="warning">{text.itself}</Notice>}
      </div>
      <ul className="inputs" aria-live="polite">
        {inputs.map(({ cid, name }) => (
          <li key={cid} className="row">
            <span>{name}</span>
            <Button kind="quiet" onClick={() => remove(cid)} aria-label={text.remove(name)}>
              ×
            </Button>
          </li>
        ))}
      </ul>
      <Dropped onFound={(found) => onChange({ inputs: withInputs(inputs, found) })} />
      <label className="row names-sources">
        <input
          type="checkbox"
          checked={namesSources}
          onChange={(event) => onChange({ namesSources: event.target.checked })}
        />
        <span>{text.keepNames}</span>
      </label>
      <Lately people={people} ownCid={draft.cid} onChoose={add} />
      <SearchField people={people} ownCid={draft.cid} onChoose={add} />
      <ByCid onGiven={(cid) => add(cid, cid)} />
    </fieldset>
  );
}

function Dropped({ onFound }: { onFound: (found: Input[]) => void }) {
  const [reading, setReading] = useState<{ name: string; share: number }>();
  const [fault, setFault] = useState<string>();
  const ending = useRef<AbortController>(undefined);
  useEffect(() => () => ending.current?.abort(), []);
  const take = async (files: File[]) => {
    ending.current = new AbortController();
    const { signal } = ending.current;
    const found: Input[] = [];
    try {
      for (const file of files) {
        const onProgress = (share: number) => setReading({ name: file.name, share });
        const { cid } = await hashFile(file, { signal, onProgress });
        found.push({ cid, name: file.name, fileName: file.name });
      }
      onFound(found);
    } catch (error) {
      if (!signal.aborted) setFault(sayError(error));
    } finally {
      setReading(undefined);
    }
  };
  return (
    <>
      <FileDrop title={text.drop} hint={text.hint} isMultiple onFiles={take} />
      {reading === undefined ? null : <Progress label={record.hashing(reading.name)} share={reading.share} />}
      {fault === undefined ? null : <p className="fault">{fault}</p>}
    </>
  );
}

function Lately({
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
  const [actions, setActions] = useState<Action[]>([]);
  useEffect(() => {
    const ending = new AbortController();
    client.actions
      .list({ limit: NEWEST }, { signal: ending.signal })
      .then((page) => setActions(page.actions))
      .catch(() => setActions([])); // the form still accepts dropped files
    return () => ending.abort();
  }, [client]);
  const cids = useMemo(() => actions.flatMap(({ outputCids }) => outputCids), [actions]);
  const { titles, fault } = useTitles(client, cids);
  const others = listPresent(actions).filter(({ cid }) => cid !== ownCid);
  const options = others.map(({ cid, action }) => ({
    value: cid,
    text: `${nameContent(cid, titles)}: ${nameAction(action, { entities: people })}`,
  }));
  const choose = (cid: string) => onChoose(cid, options.find(({ value }) => value === cid)?.text ?? cid);
  if (options.length === 0) return null;
  return (
    <>
      <Choice
        label={text.newest}
        options={[{ value: '', text: text.choose }, ...options]}
        value=""
        onChoose={choose}
      />
      {fault === undefined ? null : <p className="quiet">{fault}</p>}
    </>
  );
}

function ByCid({ onGiven }: { onGiven: (cid: string) => void }) {
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string>();
  const add = () => {
    const cid = parseContentId(typed.trim());
    setFault(cid === undefined ? text.wrong : undefined);
    if (cid === undefined) return;
    onGiven(cid);
    setTyped('');
  };
  return (
    <div className="row by-cid">
      <Field
        label={text.cid}
        fault={fault}
        value={typed}
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button onClick={add}>{text.add}</Button>
    </div>
  );
}
