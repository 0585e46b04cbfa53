import { MAX_TITLE_LENGTH } from '@colophon/model';
import type { Client } from '@colophon/sdk';
import { useContext, useState } from 'react';
import { formatSize } from '../languages/formats.js';
import { useKeptFiles } from '../shell/kept-files.js';
import { Link, useQueryValue } from '../shell/navigation.js';
import { useClient } from '../shell/project.js';
import { type ReadingMember, ReadOnly, useReadingMember } from '../shell/reading-member.js';
import { useUnsaved } from '../shell/unsaved.js';
import { type Person, usePeople } from '../shell/use-people.js';
import { manage } from '../strings/manage.js';
import { record } from '../strings/record.js';
import { Button } from '../ui/button.js';
import { Field } from '../ui/field.js';
import { FileDrop } from '../ui/file-drop.js';
import { Notice } from '../ui/notice.js';
import { Progress } from '../ui/progress.js';
import { ThumbnailContext } from '../ui/thumbnail-loader.js';
import { AlreadyRecorded } from './already-recorded.js';
import { Done } from './done.js';
import {
  changeDraft,
  type Draft,
  EMPTY,
  hasInput,
  missingOf,
  sourceTitlesOf,
  titleOfFile,
  toActivity,
} from './draft.js';
import { findContradiction } from './find-contradiction.js';
import { InputsField } from './inputs-field.js';
import { Preview } from './preview.js';
import { NEW_ME, useMe } from './use-me.js';
import { useRecording } from './use-recording.js';
import { MoreFields, WhatField, WhoField } from './who-and-what.js';
import './record.css';

/** The person of the last recording in this tab, by project. The next recording begins with this person. */
const LAST_PEOPLE = new WeakMap<Client, Person>();

export function RecordPage() {
  const cid = useQueryValue('cid');
  const kept = useKeptFiles();
  const [round, setRound] = useState(0);
  const { reader, isLoading } = useReadingMember();
  const file = round === 0 ? kept.get(cid ?? '') : undefined;
  if (isLoading) return <Loading />;
  if (reader !== undefined) return <NoForm reader={reader} />;
  return <RecordForm key={round} file={file} onAgain={() => setRound(round + 1)} />;
}

function NoForm({ reader }: { reader: ReadingMember }) {
  return (
    <section className="card narrow">
      <h1>{record.title}</h1>
      <ReadOnly member={reader} />
      <p className="row">
        <Link className="button" to="/">
          {manage.join.toLibrary}
        </Link>
      </p>
    </section>
  );
}

function Loading() {
  return (
    <div className="stack">
      <h1>{record.title}</h1>
      <p className="quiet">{manage.loading}</p>
    </div>
  );
}

function RecordForm({ file, onAgain }: { file: File | undefined; onAgain: () => void }) {
  const client = useClient();
  const last = LAST_PEOPLE.get(client);
  const known = usePeople(client);
  const { me, lostId, remember: rememberMe } = useMe(client);
  const people = withPerson(withPerson(known, last), me);
  const [typed, setDraft] = useState<Draft>(() => ({
    ...EMPTY,
    file,
    title: titleOfFile(file),
    entityId: last?.id ?? me?.id ?? '',
  }));
  const isMe = typed.entityId === NEW_ME || (lostId !== undefined && typed.entityId === lostId);
  const draft = isMe ? { ...typed, entityId: me?.id ?? NEW_ME } : typed;
  const thumbnails = useContext(ThumbnailContext);
  const remember = (id: string) => {
    thumbnails?.forgetMisses();
    const byMe = draft.entityId === me?.id;
    if (byMe) rememberMe(id);
    const { role, name } = byMe ? me : draft;
    LAST_PEOPLE.set(client, people.find((person) => person.id === id) ?? { id, role, name: name?.trim() });
  };
  const { state, sources, start, cancel } = useRecording(client, remember);
  useUnsaved(state.kind !== 'done' && hasInput(draft));
  const roles = new Map(people.map(({ id, role }) => [id, role]));
  const change = (part: Partial<Draft>) => setDraft((before) => changeDraft(before, part, roles));
  if (state.kind === 'done')
    return <Done result={state.result} title={draft.title.trim()} sources={sources} onAgain={onAgain} />;
  const activity = toActivity(draft, roles, me);
  const role = roles.get(draft.entityId) ?? draft.role;
  const warning = findContradiction(draft, {
    role,
    name: people.find(({ id }) => id === draft.entityId)?.name ?? draft.name,
    ais: people.flatMap((person) => (person.role === 'ai' ? (person.name ?? []) : [])),
  });
  const isReady = missingOf(draft, role).length === 0;
  return (
    <>
      <div className="stack">
        <h1>{record.title}</h1>
        <p className="quiet">{record.lead}</p>
      </div>
      <div className="record-form">
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            if (draft.file !== undefined && isReady)
              start({ file: draft.file, activity, titles: sourceTitlesOf(draft) });
          }}
        >
          <Chosen draft={draft} onChange={change} />
          <WhoField {...{ draft, people, me, last }} onChange={change} />
          <WhatField {...{ draft, role, warning }} onChange={change} />
          <InputsField draft={draft} people={people} onChange={change} />
          <MoreFields draft={draft} onChange={change} />
          <p className="quiet">{record.permanent}</p>
          {state.kind === 'failed' ? <Notice kind="danger">{state.message}</Notice> : null}
          {state.kind === 'sending' ? (
            <>
              <Progress label={record.sending} share={state.share} />
              <Button onClick={cancel}>{record.cancel}</Button>
            </>
          ) : (
            <Button type="submit" kind="primary" disabled={!isReady}>
              {record.submit}
            </Button>
          )}
        </form>
        <Preview {...{ draft, role, activity, people }} />
      </div>
    </>
  );
}

function withPerson(people: Person[], person: Person | undefined): Person[] {
  if (person === undefined || people.some(({ id }) => id === person.id)) return people;
  return [person, ...people];
}

function Chosen({ draft, onChange }: { draft: Draft; onChange: (part: Partial<Draft>) => void }) {
  const { file, title } = draft;
  const choose = (chosen: File | undefined) => onChange({ file: chosen, title: titleOfFile(chosen) });
  if (file === undefined) return <FileDrop title={record.drop} onFiles={([first]) => choose(first)} />;
  return (
    <div className="card stack">
      <div className="row chosen">
        <strong>{file.name}</strong>
        <span className="quiet">{formatSize(file.size)}</span>
        <Button onClick={() => choose(undefined)}>{record.other}</Button>
      </div>
      <AlreadyRecorded file={file} />
      <Field
        label={record.contentTitle}
        hint={record.contentTitleHint}
        maxLength={MAX_TITLE_LENGTH}
        value={title}
        onChange={(event) => onChange({ title: event.target.value })}
      />
    </div>
  );
}
