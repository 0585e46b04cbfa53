import { useCallback, useState } from 'react';
import { Link, navigate } from '../shell/navigation.js';
import { useLoaded } from '../shell/use-loaded.js';
import { manage } from '../strings/manage.js';
import { Field } from '../ui/field.js';
import { Account } from './account.js';
import { Form, NameField, Show } from './parts.js';
import { type Managing, SessionGate } from './session-gate.js';
import { toSlug } from './to-slug.js';

const { orgs } = manage;

export function HomePage() {
  return (
    <SessionGate>
      {(managing) => (
        <>
          <Orgs {...managing} />
          <Account {...managing} />
        </>
      )}
    </SessionGate>
  );
}

function Orgs({ page }: Managing) {
  const loaded = useLoaded(useCallback(() => page.management.orgs.list(), [page]));
  return (
    <section className="stack">
      <h1>{orgs.title}</h1>
      <Show loaded={loaded}>
        {(list) =>
          list.length === 0 ? (
            <p>{orgs.none}</p>
          ) : (
            <ul className="places">
              {list.map(({ slug, name, role }) => (
                <li key={slug}>
                  <Link className="place" to={`/manage/orgs/${slug}`}>
                    <strong>{name}</strong>
                    <span className="quiet">
                      {slug} · {orgs.role}: {role}
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Show>
      <details>
        <summary>{orgs.make}</summary>
        <NewOrg page={page} />
      </details>
    </section>
  );
}

function NewOrg({ page }: Pick<Managing, 'page'>) {
  const [name, setName] = useState('');
  const [slug, setSlug] = useState<string>();
  const shown = slug ?? toSlug(name);
  const create = async () => {
    const org = await page.management.orgs.create({ name: name.trim(), slug: shown });
    navigate(`/manage/orgs/${org.slug}`);
  };
  return (
    <div className="card narrow">
      <Form submit={orgs.create} onSubmit={create}>
        <NameField label={orgs.name} name={name} onChange={setName} />
        <Field
          label={orgs.slug}
          hint={orgs.slugHint}
          required
          pattern="[a-z0-9\-]{2,40}"
          value={shown}
          onChange={(event) => setSlug(event.target.value)}
        />
      </Form>
    </div>
  );
}
