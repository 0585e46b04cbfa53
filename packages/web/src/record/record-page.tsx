import { MAX_TITLE_LENGTH } from '@colophon/model';
import { useCallback, useState } from 'react';
import { formatInstant, formatSize } from '../languages/formats.js';
import { toMarking } from '../marking/to-marking.js';
import { correctionPath } from '../shell/correction.js';
import { useKeptFiles } from '../shell/kept-files.js';
import { nameAction } from '../shell/name-action.js';
import { Link, useQueryValue } from '../shell/navigation.js';
import { useClient } from '../shell/project.js';
import { type ReadingMember, ReadOnly, useReadingMember } from '../shell/reading-member.js';
import { useUnsaved } from '../shell/unsaved.js';
import { useLoaded } from '../shell/use-loaded.js';
import type { Person } from '../shell/use-people.js';
import { explore } from '../strings/explore.js';
import { manage } from '../strings/manage.js';
import { record } from '../strings/record.js';
import { Button } from '../ui/button.js';
import { Field } from '../ui/field.js';
import { FileDrop } from '../ui/file-drop.js';
import { Notice } from '../ui/notice.js';
import { Progress } from '../ui/progress.js';
import { AlreadyRecorded } from './already-recorded.js';
import { Content, Done } from './done.js';
import {
  addsMaker,
  type Draft,
  EMPTY,
  hasInput,
  isWithoutAi,
  missingOf,
  otherInputs,
  sourceTitlesOf,
  titleOfFile,
  toActivity,
} from './draft.js';
import { findContradiction } from './find-contradiction.js';
import { InputsField } from './inputs-field.js';
import { listChanges } from './list-changes.js';
import { Preview, sayDraft } from './preview.js';
import { type RecordedStep, readStep, toCorrectingDraft } from './recorded-step.js';
import { useAiSources } from './use-ai-sources.js';
import { useDraft } from './use-draft.js';
import type { Found } from './use-recorded.js';
import { type RecordingState, useRecording } from './use-recording.js';
import { MoreFields, WhatField, WhoField } from './who-and-what.js';
import './record.css';

export function RecordPage() {
  const cid = useQueryValue('cid');
  const step = useQueryValue('step');
  const kept = useKeptFiles();
  const [round, setRound] = useState(0);
  const { reader, isLoading } = useReadingMember();
  const content = round === 0 ? { file: kept.get(cid ?? ''), cid } : { file: undefined, cid: undefined };
  if (isLoading) return <Loading title={record.title} />;
  if (reader !== undefined) return <NoForm reader={reader} />;
  const form = { content, onAgain: () => setRound(round + 1) };
  if (content.cid !== undefined && step !== undefined)
    return <CorrectionForm key={`${content.cid} ${step}`} cid={content.cid} actionId={step} form={form} />;
  return <RecordForm key={`${round} ${content.cid}`} {...form} />;
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

function Loading({ title }: { title: string }) {
  return (
    <div className="stack">
      <h1>{title}</h1>
      <p className="quiet">{manage.loading}</p>
    </div>
  );
}

function CorrectionForm({ cid, actionId, form }: { cid: string; actionId: string; form: FormProps }) {
  const client = useClient();
  const read = useCallback(() => readStep(client, { actionId, cid }), [client, actionId, cid]);
  const { value, fault } = useLoaded(read);
  if (value !== undefined) return <RecordForm {...form} step={value} />;
  if (fault === undefined) return <Loading title={explore.correction.title} />;
  return (
    <>
      <Notice kind="danger">{explore.correction.unread(fault)}</Notice>
      <RecordForm {...form} />
    </>
  );
}

interface FormProps {
  /** A file, or the content id of a recorded file. */
  content: Pick<Draft, 'file' | 'cid'>;
  step?: RecordedStep;
  onAgain: () => void;
}

function RecordForm({ content, step, onAgain }: FormProps) {
  const client = useClient();
  const { draft, change, people, roles, me, last, found, ...heard } = useDraft(client, content, step);
  const callbacks = { onRecorded: heard.remember, onDuplicate: heard.setRecorded };
  const { state, sources, start, cancel } = useRecording(client, callbacks);
  useUnsaved(state.kind !== 'done' && hasInput(draft));
  const activity = toActivity(draft, roles, me);
  const name = people.find(({ id }) => id === draft.entityId)?.name ?? draft.name;
  const role = roles.get(draft.entityId) ?? draft.role;
  // After the recording, the page says how to label a file that has AI only in its sources.
  const isWithAi = activity.action?.aiTool !== undefined || role === 'ai';
  const readsSources = isWithoutAi(draft, role) || (state.kind === 'done' && !isWithAi);
  const aiSources = useAiSources(client, readsSources ? otherInputs(draft) : []);
  if (state.kind === 'done') {
    const [title, { result }] = [draft.title.trim(), state];
    const marking = toMarking({ file: draft.file, title, activity, entityId: result.entityId, name });
    const says = sayDraft(draft, activity, people);
    const changes = draft.corrected && step && listChangesOf(step, draft, people);
    const hasAiSources = aiSources.names.length > 0;
    return <Done {...{ result, title, says, changes, hasAiSources, sources, marking, onAgain }} />;
  }
  const warning = findContradiction(draft, {
    role,
    name,
    ais: people.flatMap((person) => (person.role === 'ai' ? (person.name ?? []) : [])),
  });
  const isMaker = addsMaker(draft, found.makers);
  const target = draft.isRecorded ? draft.cid : draft.file;
  const isReady = missingOf(draft, role).length === 0 && !found.isChecking;
  return (
    <>
      <Head step={draft.corrected && step} />
      <form
        className="record-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (target !== undefined && isReady)
            start({ content: target, activity, corrected: draft.corrected, titles: sourceTitlesOf(draft) });
        }}
      >
        <div className="stack">
          <Chosen draft={draft} found={found} isMaker={isMaker} onChange={change} />
          <WhoField
            {...{ draft, people, me }}
            last={step === undefined ? last : undefined}
            onChange={change}
          />
          <WhatField {...{ draft, role, warning, aiSources }} onChange={change} />
          <InputsField draft={draft} people={people} onChange={change} />
          <MoreFields draft={draft} onChange={change} />
        </div>
        <Preview {...{ draft, role, activity, people }} />
        <div className="stack">
          <p className="quiet">{record.permanent}</p>
          <Submit {...{ draft, state, isReady, isMaker }} onCancel={cancel} />
        </div>
      </form>
    </>
  );
}

function Submit({
  draft: { cid = '', isRecorded, corrected },
  state,
  isReady,
  isMaker,
  onCancel,
}: {
  draft: Draft;
  state: RecordingState;
  isReady: boolean;
  /** The recording adds a further maker to a recorded file. */
  isMaker: boolean;
  onCancel: () => void;
}) {
  if (state.kind === 'sending')
    return (
      <>
        <Progress label={isRecorded ? record.sendingStep : record.sending} share={state.share} />
        <Button onClick={onCancel}>{record.cancel}</Button>
      </>
    );
  const submitStep = corrected === undefined ? record.submitStep : record.submitCorrection;
  return (
    <>
      {state.kind === 'failed' ? <Notice kind="danger">{state.message}</Notice> : null}
      {state.kind === 'outdated' ? (
        <Notice kind="danger" title={explore.correction.outdated}>
          <Link to={correctionPath(cid, state.correction)}>{explore.correction.openLast}</Link>
        </Notice>
      ) : null}
      <Button type="submit" kind="primary" disabled={!isReady}>
        {isMaker ? record.submitMaker : isRecorded ? submitStep : record.submit}
      </Button>
    </>
  );
}

function listChangesOf(step: RecordedStep, draft: Draft, people: readonly Person[]) {
  const nameOf = ({ entityId, name }: Draft) =>
    entityId === '' ? name : (people.find(({ id }) => id === entityId)?.name ?? entityId);
  return listChanges({ ...EMPTY, ...toCorrectingDraft(step) }, draft, nameOf);
}

/** `step`: the step that the form corrects. */
function Head({ step }: { step: RecordedStep | undefined }) {
  const { correction } = explore;
  if (step === undefined)
    return (
      <div className="stack">
        <h1>{record.title}</h1>
        <p className="quiet">{record.lead}</p>
      </div>
    );
  const { action, performer, name } = step;
  const sentence = nameAction(action, { entities: performer === undefined ? [] : [performer] });
  return (
    <div className="stack">
      <h1>{correction.titleOf(name)}</h1>
      <p>{correction.quoted(sentence, formatInstant(action.timestamp))}</p>
      <p className="quiet">{correction.lead}</p>
    </div>
  );
}

function Chosen({
  draft: { file, cid, title, isRecorded, corrected },
  found,
  isMaker,
  onChange,
}: {
  draft: Draft;
  found: Found;
  isMaker: boolean;
  onChange: (part: Partial<Draft>) => void;
}) {
  const choose = (chosen: File | undefined) =>
    onChange({ file: chosen, cid: undefined, title: titleOfFile(chosen), corrected: undefined });
  if (file === undefined && !isRecorded)
    return (
      <>
        <FileDrop title={record.drop} onFiles={([first]) => choose(first)} />
        <AlreadyRecorded found={found} addsMaker={isMaker} />
      </>
    );
  return (
    <div className="card stack">
      <div className="row chosen">
        {file === undefined ? (
          <Content cid={cid ?? ''} title="" />
        ) : (
          <>
            <strong>{file.name}</strong>
            <span className="quiet">{formatSize(file.size)}</span>
          </>
        )}
        <Button onClick={() => choose(undefined)}>{record.other}</Button>
      </div>
      {found.isChecking && file !== undefined ? <p className="quiet">{record.hashing(file.name)}</p> : null}
      {corrected === undefined ? <AlreadyRecorded found={found} addsMaker={isMaker} /> : null}
      {isRecorded ? null : (
        <Field
          label={record.contentTitle}
          hint={record.contentTitleHint}
          maxLength={MAX_TITLE_LENGTH}
          value={title}
          onChange={(event) => onChange({ title: event.target.value })}
        />
      )}
    </div>
  );
}
