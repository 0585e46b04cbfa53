import { useCallback, useState } from 'react';
import { formatList } from '../languages/formats.js';
import { Link, navigate } from '../shell/navigation.js';
import { findOwnOrg, LOCAL_ORG } from '../shell/own-org.js';
import { useProject } from '../shell/project.js';
import { nameAdmins } from '../shell/reading-member.js';
import { useLoaded } from '../shell/use-loaded.js';
import { manage } from '../strings/manage.js';
import type { InOrg } from './org-page.js';
import { Form, NameField, Show } from './parts.js';

const { projects: texts } = manage;

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
      {org.slug === LOCAL_ORG ? <OwnProject page={page} name={org.name} /> : null}
      {org.slug === LOCAL_ORG ? null : org.role === 'viewer' ? (
        <WhoMakesProjects page={page} orgSlug={org.slug} />
      ) : (
        <NewProject page={page} orgSlug={org.slug} />
      )}
    </div>
  );
}

/** Says why nobody can create a project here, and links to another organisation. */
function OwnProject({ page, name }: Pick<InOrg, 'page'> & { name: string }) {
  const orgs = useLoaded(useCallback(() => page.management.orgs.list(), [page]));
  const slug = findOwnOrg(orgs.value ?? []);
  const own = orgs.value?.find((org) => org.slug === slug);
  return (
    <section className="card narrow">
      <h2>{texts.make}</h2>
      <p>{manage.org.local(name)}</p>
      <p className="row">
        {own === undefined ? null : (
          <Link className="button" to={`/manage/orgs/${own.slug}`}>
            {manage.org.toOwn(own.name)}
          </Link>
        )}
        <Link className="button" to="/manage?new=organisation">
          {manage.org.makeOwn}
        </Link>
      </p>
    </section>
  );
}

/** Says who can create a project, and whom a viewer can ask. */
function WhoMakesProjects({ page, orgSlug }: Pick<InOrg, 'page'> & { orgSlug: string }) {
  const members = useLoaded(useCallback(() => page.management.orgs.members(orgSlug), [page, orgSlug]));
  const admins = nameAdmins(members.value ?? []);
  return (
    <section className="card narrow">
      <h2>{texts.make}</h2>
      <p>{texts.forRole(manage.members.roles.developer)}</p>
      {admins.length === 0 ? null : <p>{texts.ask(formatList(admins))}</p>}
    </section>
  );
}

/** The tab then works in the new project. */
export function useNewProject(page: InOrg['page']): (orgSlug: string, name: string) => Promise<void> {
  const { choose } = useProject();
  return async (orgSlug, name) => {
    const project = await page.management.projects.create({ orgSlug, name: name.trim() });
    choose({ id: project.id, name: project.name });
    navigate(`/manage/projects/${project.id}`);
  };
}

function NewProject({ page, orgSlug }: Pick<InOrg, 'page'> & { orgSlug: string }) {
  const create = useNewProject(page);
  const [name, setName] = useState('');
  return (
    <section className="card narrow">
      <h2>{texts.make}</h2>
      <Form submit={texts.create} onSubmit={() => create(orgSlug, name)}>
        <NameField label={texts.name} name={name} onChange={setName} />
      </Form>
    </section>
  );
}
