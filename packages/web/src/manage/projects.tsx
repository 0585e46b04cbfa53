import { useCallback, useState } from 'react';
import { Link, navigate } from '../shell/navigation.js';
import { useProject } from '../shell/project.js';
import { useLoaded } from '../shell/use-loaded.js';
import { manage } from '../strings/manage.js';
import type { InOrg } from './org-page.js';
import { Form, NameField, Show } from './parts.js';

const { projects: texts } = manage;
/** The organisation of projects that the configuration defines. */
const LOCAL = 'local';

export function Projects({ page, org }: InOrg) {
  const loaded = useLoaded(useCallback(() => page.management.projects.list(org.slug), [page, org.slug]));
  return (
    <div className="stack">
      <Show loaded={loaded}>
        {(list) =>
          list.length === 0 ? (
            <p>{texts.none}</p>
          ) : (
            <ul className="places">
              {list.map(({ id, name, description }) => (
                <li key={id}>
                  <Link className="place" to={`/manage/projects/${id}`}>
                    <strong>{name}</strong>
                    <span className="quiet">{description ?? texts.open}</span>
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Show>
      {org.slug === LOCAL ? <p className="hint">{manage.org.local}</p> : null}
      {org.slug === LOCAL || org.role === 'viewer' ? null : <NewProject page={page} orgSlug={org.slug} />}
    </div>
  );
}

/** Creates a project, and opens it in this tab. */
function NewProject({ page, orgSlug }: Pick<InOrg, 'page'> & { orgSlug: string }) {
  const { choose } = useProject();
  const [name, setName] = useState('');
  const create = async () => {
    const project = await page.management.projects.create({ orgSlug, name: name.trim() });
    choose({ id: project.id, name: project.name });
    navigate(`/manage/projects/${project.id}`);
  };
  return (
    <section className="card narrow">
      <h2>{texts.make}</h2>
      <Form submit={texts.create} onSubmit={create}>
        <NameField label={texts.name} name={name} onChange={setName} />
      </Form>
    </section>
  );
}
