import type { Entity } from '@colophon/model';
import { record } from '../strings/record.js';
import { Choice } from '../ui/choice.js';
import { Field } from '../ui/field.js';
import { type Draft, ROLES, TYPES } from './draft.js';

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
      {draft.type === 'generate' ? (
        <>
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
        </>
      ) : null}
    </fieldset>
  );
}
