import type { CreatedApiKey, Entity, Permission } from '@colophon/model';
import { useState } from 'react';
import { manage } from '../strings/manage.js';
import { Choice } from '../ui/choice.js';
import { Field } from '../ui/field.js';
import { BoundEntity, UNBOUND } from './bound-entity.js';
import { Form, NameField } from './parts.js';
import type { InProject } from './project-page.js';

const { keys: texts } = manage;
const LEVELS = ['read', 'write', 'admin'] as const satisfies readonly Permission[];
type Purpose = keyof typeof texts.purposes;
const NEEDED = { record: 'write', show: 'read', erase: 'admin' } as const satisfies Record<
  Purpose,
  Permission
>;
const PURPOSES = Object.keys(NEEDED) as Purpose[];
const USUAL: Purpose = 'record';

/** A purpose fills in the name and the permission, and the user can change both. */
export function NewKey({
  page,
  project,
  role,
  people,
  onMade,
}: InProject & { people: readonly Entity[]; onMade: (made: CreatedApiKey) => void }) {
  const [purpose, setPurpose] = useState<Purpose>(USUAL);
  const [name, setName] = useState<string>(texts.purposes[USUAL].name);
  const [permissions, setPermissions] = useState<Permission>(NEEDED[USUAL]);
  const [days, setDays] = useState('');
  const [binding, setBinding] = useState(UNBOUND);
  // The service does not bind a key with `admin`, and a key with `read` cannot record.
  const mayBind = permissions === 'write';
  const mayGive = (level: Permission) => role !== 'developer' || level !== 'admin';
  const choose = (next: Purpose) => {
    setPurpose(next);
    setName(texts.purposes[next].name);
    setPermissions(NEEDED[next]);
  };
  const create = async () => {
    const life = days === '' ? {} : { expiresInDays: Number(days) };
    const bound = mayBind && binding.kind !== 'any' ? { entityId: binding.entityId.trim() } : {};
    const key = { projectId: project.id, name: name.trim(), permissions, ...bound, ...life };
    onMade(await page.management.apiKeys.create(key));
    setBinding(UNBOUND);
  };
  return (
    <section className="card narrow">
      <h2>{texts.make}</h2>
      <p className="hint">{texts.why}</p>
      <Form submit={texts.create} onSubmit={create}>
        <Choice
          label={texts.purpose}
          value={purpose}
          options={PURPOSES.filter((one) => mayGive(NEEDED[one])).map((value) => ({
            value,
            text: texts.purposes[value].text,
          }))}
          onChoose={choose}
        />
        <NameField label={texts.name} name={name} onChange={setName} />
        <Choice
          label={texts.permissions}
          value={permissions}
          options={LEVELS.filter(mayGive).map((value) => ({ value, text: texts.levels[value] }))}
          onChoose={setPermissions}
        />
        {mayBind ? <BoundEntity people={people} binding={binding} onChange={setBinding} /> : null}
        <Field
          label={texts.days}
          hint={texts.daysHint}
          type="number"
          min={1}
          max={365}
          value={days}
          onChange={(event) => setDays(event.target.value)}
        />
      </Form>
    </section>
  );
}
