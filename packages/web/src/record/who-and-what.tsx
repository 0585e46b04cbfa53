import type { Entity } from '@colophon/model';
import { record } from '../strings/record.js';
import { Choice } from '../ui/choice.js';
import { Field } from '../ui/field.js';
import { type Draft, ROLES, TYPES, usesAi } from './draft.js';

interface FormPart {
  draft: Draft;
  onChange: (part: Partial<Draft>) => void;
}

/** Selects a recorded person, or asks for the data of a new one. */
export function WhoField({ draft, people, onChange }: FormPart & { people: readonly Entity[] }) {
  const text = record.who;
  const known = people.map(({ id, name }) => ({
    value: id,
    text: name === undefined ? id : `${name} (${id})`,
  }));
  return (
    <fieldset className="card">
      <legend>{text.legend}</legend>
      <Choice
        label={text.known}
        options={[{ value: '', text: text.fresh }, ...known]}
        value={draft.entityId}
        onChoose={(entityId) => onChange({ entityId })}
      />
      {draft.entityId === '' ? (
        <>
          <Field
            label={text.name}
            value={draft.name}
            onChange={(event) => onChange({ name: event.target.value })}
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

export function WhatField({ draft, onChange }: FormPart) {
  const text = record.what;
  return (
    <fieldset className="card">
      <legend>{text.legend}</legend>
      <Choice
        label={text.legend}
        options={TYPES.map((value) => ({ value, text: text.types[value] }))}
        value={draft.type}
        onChoose={(type) => onChange({ type })}
      />
      <p className="quiet">{draft.type === 'generate' ? text.aiNeeded : text.ai}</p>
      <Field
        label={text.provider}
        value={draft.provider}
        onChange={(event) => onChange({ provider: event.target.value })}
      />
      <Field
        label={text.model}
        value={draft.model}
        onChange={(event) => onChange({ model: event.target.value })}
      />
      {usesAi(draft) ? (
        <Field
          label={text.prompt}
          value={draft.prompt}
          onChange={(event) => onChange({ prompt: event.target.value })}
        />
      ) : null}
    </fieldset>
  );
}

/** Optional values: a note, the time, and the licence. */
export function MoreFields({ draft, onChange }: FormPart) {
  const text = record.more;
  return (
    <details className="card">
      <summary>{text.legend}</summary>
      <div className="stack">
        <Field
          label={text.note}
          value={draft.note}
          onChange={(event) => onChange({ note: event.target.value })}
        />
        <Field
          label={text.madeAt}
          hint={text.madeAtHint}
          type="datetime-local"
          max="9999-12-31T23:59"
          value={draft.madeAt}
          onChange={(event) => onChange({ madeAt: event.target.value })}
        />
        <Field
          label={text.license}
          hint={text.licenseHint}
          value={draft.license}
          onChange={(event) => onChange({ license: event.target.value })}
        />
      </div>
    </details>
  );
}
