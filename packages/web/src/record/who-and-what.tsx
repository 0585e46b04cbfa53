import { type ComponentProps, useState } from 'react';
import { formatList } from '../languages/formats.js';
import { useProject } from '../shell/project.js';
import { findNamesake, isNamesake } from '../shell/use-me.js';
import type { Person } from '../shell/use-people.js';
import { aiLevels } from '../strings/ai-levels.js';
import { record } from '../strings/record.js';
import { Choice } from '../ui/choice.js';
import { Field } from '../ui/field.js';
import { Notice } from '../ui/notice.js';
import { type Draft, isWithoutAi, mayStateNoAi, nameType, ROLES, typesOf } from './draft.js';
import type { AiSources } from './use-ai-sources.js';

type TextMember = 'name' | 'provider' | 'model' | 'prompt' | 'note' | 'madeAt' | 'license';

interface FormPart {
  draft: Draft;
  onChange: (part: Partial<Draft>) => void;
}

function DraftField({
  member,
  draft,
  onChange,
  ...field
}: FormPart & { member: TextMember } & Omit<ComponentProps<typeof Field>, 'value' | 'onChange'>) {
  return (
    <Field
      {...field}
      value={draft[member]}
      onChange={(event) => onChange({ [member]: event.target.value })}
    />
  );
}

export function WhoField({
  draft,
  people,
  me,
  last,
  onChange,
}: FormPart & {
  people: readonly Person[];
  me: Person | undefined;
  last: Person | undefined;
}) {
  const text = record.who;
  // A project key does not show the members of an organisation.
  const hasMembers = useProject().chosen !== undefined;
  return (
    <fieldset className="card">
      <legend>{text.legend}</legend>
      <Choice
        label={text.known}
        options={toOptions(people, me)}
        value={draft.entityId}
        hint={sayHint(draft.entityId, { people, me, last })}
        onChoose={(entityId) => onChange({ entityId })}
      />
      {draft.entityId === '' ? (
        <>
          <DraftField
            label={text.name}
            hint={hasMembers && draft.role === 'human' ? text.memberHint : undefined}
            member="name"
            draft={draft}
            onChange={onChange}
          />
          <Choice
            label={text.role}
            options={ROLES.map((value) => ({ value, text: text.roles[value] }))}
            value={draft.role}
            onChoose={(role) => onChange({ role })}
          />
        </>
      ) : null}
    </fieldset>
  );
}

/** Explains a choice that can be wrong: the person of the last recording, or a new user with a recorded name. */
function sayHint(
  entityId: string,
  { people, me, last }: { people: readonly Person[]; me: Person | undefined; last: Person | undefined },
): string | undefined {
  if (entityId !== '' && entityId === last?.id) return record.who.last;
  const namesake = me === undefined || entityId !== me.id ? undefined : findNamesake(me, people);
  if (namesake?.name === undefined) return undefined;
  return record.who.maybeMe(namesake.name, record.who.namesake(namesake.name, namesake.id));
}

/**
 * Options show the id too if several people have the same name. For a namesake of `me`, the text says that this is
 * another person.
 */
export function toOptions(
  people: readonly Person[],
  me: Person | undefined,
): { value: string; text: string }[] {
  const counts = new Map<string | undefined, number>();
  for (const { name } of people) counts.set(name, (counts.get(name) ?? 0) + 1);
  const known = people.map(({ id, role, name }) => {
    const isRepeated = (counts.get(name) ?? 0) > 1;
    if (name !== undefined && me !== undefined && isNamesake({ id, role, name }, me))
      return { value: id, text: record.who.namesake(name, id) };
    return { value: id, text: name === undefined ? id : isRepeated ? `${name} (${id})` : name };
  });
  return [
    ...(me === undefined ? [] : [{ value: me.id, text: record.who.me(me.name ?? me.id) }]),
    { value: '', text: record.who.fresh },
    ...known.filter(({ value }) => value !== me?.id),
  ];
}

/** `warning`: a contradiction in the draft. */
export function WhatField({
  draft,
  role,
  warning,
  aiSources,
  onChange,
}: FormPart & { role: string; warning: string | undefined; aiSources: AiSources }) {
  const text = record.what;
  return (
    <fieldset className="card">
      <legend>{text.legend}</legend>
      <Choice
        label={text.legend}
        isLabelUnseen
        options={typesOf(draft).map((value) => ({ value, text: nameType(value) }))}
        value={draft.type}
        onChoose={(type) => onChange({ type })}
      />
      {mayStateNoAi(draft, role) ? <NoAiField draft={draft} onChange={onChange} /> : null}
      {isWithoutAi(draft, role) ? (
        <p className="hint">{text.noAiMeans}</p>
      ) : (
        <ToolFields draft={draft} onChange={onChange} />
      )}
      <div role="status">
        {warning === undefined ? null : <Notice kind="warning">{warning}</Notice>}
        {isWithoutAi(draft, role) ? <AiInSources {...aiSources} /> : null}
      </div>
    </fieldset>
  );
}

/** The statement “No AI was used” does not cover the sources. */
function AiInSources({ names, partly = [], unread, most }: AiSources) {
  const text = record.what;
  return (
    <>
      {names.length === 0 ? null : (
        <Notice kind="warning">{text.aiSources(formatList(names), aiLevels.sources)}</Notice>
      )}
      {partly.length === 0 ? null : <p className="quiet">{text.aiSourcesPartly(formatList(partly))}</p>}
      {unread === undefined ? null : (
        <p className="quiet">{text.aiSourcesUnread(formatList(unread.names), unread.reason)}</p>
      )}
      {most === undefined ? null : <p className="quiet">{text.aiSourcesMost(most)}</p>}
    </>
  );
}

function NoAiField({ draft: { noAi }, onChange }: FormPart) {
  return (
    <label className="row tight">
      <input type="checkbox" checked={noAi} onChange={({ target }) => onChange({ noAi: target.checked })} />
      {record.what.noAi}
    </label>
  );
}

function ToolFields({ draft, onChange }: FormPart) {
  const text = record.what;
  return (
    <>
      <p className="quiet">{draft.type === 'generate' ? text.aiNeeded : text.ai}</p>
      <DraftField
        label={text.provider}
        hint={text.providerHint}
        member="provider"
        draft={draft}
        onChange={onChange}
      />
      <DraftField label={text.model} hint={text.modelHint} member="model" draft={draft} onChange={onChange} />
      <DraftField
        label={text.prompt}
        hint={text.promptHint}
        member="prompt"
        draft={draft}
        onChange={onChange}
      />
    </>
  );
}

/** Open in a correction, and in a draft that begins with such a value. */
export function MoreFields({ draft, onChange }: FormPart) {
  const text = record.more;
  const { note, madeAt, license, corrected } = draft;
  const [isOpen] = useState(corrected !== undefined || [note, madeAt, license].some((value) => value !== ''));
  return (
    <details className="card" open={isOpen}>
      <summary>{text.legend}</summary>
      <div className="stack">
        <DraftField label={text.note} hint={text.noteHint} member="note" draft={draft} onChange={onChange} />
        <DraftField
          label={text.madeAt}
          hint={corrected?.madeAt === '' ? text.madeAtKept : text.madeAtHint}
          type="datetime-local"
          max="9999-12-31T23:59"
          member="madeAt"
          draft={draft}
          onChange={onChange}
        />
        <DraftField
          label={text.license}
          hint={text.licenseHint}
          member="license"
          draft={draft}
          onChange={onChange}
        />
      </div>
    </details>
  );
}
