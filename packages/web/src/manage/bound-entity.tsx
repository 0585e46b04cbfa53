import type { Entity } from '@colophon/model';
import { manage } from '../strings/manage.js';
import { Choice } from '../ui/choice.js';
import { Field } from '../ui/field.js';
import { sayEntity } from './say-entity.js';

const { keys: texts } = manage;

export interface Binding {
  kind: 'any' | 'known' | 'other';
  /** Empty for `any`. */
  entityId: string;
}

export const UNBOUND: Binding = { kind: 'any', entityId: '' };
/** Prefix of the id in an option. Without it, an entity with the id `any` or `other` would equal another option. */
const KNOWN = 'id:';

export function BoundEntity({
  people,
  binding: { kind, entityId },
  onChange,
}: {
  people: readonly Entity[];
  binding: Binding;
  onChange: (binding: Binding) => void;
}) {
  const choose = (value: string) => {
    if (value === 'any' || value === 'other') onChange({ kind: value, entityId: '' });
    else onChange({ kind: 'known', entityId: value.slice(KNOWN.length) });
  };
  return (
    <>
      <Choice
        label={texts.for}
        value={kind === 'known' ? `${KNOWN}${entityId}` : kind}
        options={[
          { value: 'any', text: texts.forAny },
          ...people.map(({ id }) => ({ value: `${KNOWN}${id}`, text: sayEntity(id, people) })),
          { value: 'other', text: texts.forOther },
        ]}
        onChoose={choose}
      />
      {kind === 'any' ? null : <p className="hint">{texts.forHint}</p>}
      {kind === 'other' ? (
        <Field
          label={texts.forId}
          hint={texts.forIdHint}
          required
          maxLength={256}
          spellCheck={false}
          value={entityId}
          onChange={(event) => onChange({ kind, entityId: event.target.value })}
        />
      ) : null}
    </>
  );
}
