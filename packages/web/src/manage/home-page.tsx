import type { Org } from '@colophon/model';
import { useCallback, useState } from 'react';
import { Link, navigate, useQueryValue } from '../shell/navigation.js';
import { findOwnOrg, LOCAL_ORG } from '../shell/own-org.js';
import { useLoaded } from '../shell/use-loaded.js';
import { manage } from '../strings/manage.js';
import { Field } from '../ui/field.js';
import { Account } from './account.js';
import { Form, NameField, Show } from './parts.js';
import { useNewProject } from './projects.js';
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
        {(list) => (
          <>
            <OrgList list={list} />
            {findOwnOrg(list) === undefined ? (
              <FirstProject page={page} list={list} />
            ) : (
              <NewOrg page={page} />
            )}
          </>
        )}
      </Show>
    </section>
  );
}

function OrgList({ list }: { list: readonly Org[] }) {
  if (list.length === 0) return <p>{orgs.none}</p>;
  return (
    <ul className="places">
      {list.map(({ slug, name, role }) => (
        <li key={slug}>
          <Link className="place" to={`/manage/orgs/${slug}`}>
            <strong>{name}</strong>
            <span className="quiet">
              {slug} · {orgs.role}: {manage.members.roles[role]}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The slug follows the name until the user changes it. */
function useOrgDraft() {
  const [name, setName] = useState('');
  const [slug, setSlug] = useState<string>();
  return { name, setName, slug: slug ?? toSlug(name), setSlug };
}

function OrgFields({ label, draft }: { label: string; draft: ReturnType<typeof useOrgDraft> }) {
  return (
    <>
      <NameField label={label} name={draft.name} onChange={draft.setName} />
      <Field
        label={orgs.slug}
        hint={orgs.slugHint}
        required
        pattern="[a-z0-9\-]{2,40}"
        value={draft.slug}
        onChange={(event) => draft.setSlug(event.target.value)}
      />
    </>
  );
}

/** Shown to a user who cannot create a project in any organisation. */
function FirstProject({ page, list }: Pick<Managing, 'page'> & { list: readonly Org[] }) {
  const draft = useOrgDraft();
  const [project, setProject] = useState('');
  const local = list.find(({ slug }) => slug === LOCAL_ORG);
  // If creating the project fails, the next attempt reuses the created organisation.
  const [made, setMade] = useState<string>();
  const createProject = useNewProject(page);
  const create = async () => {
    const { slug } = draft;
    if (made !== slug) await page.management.orgs.create({ name: draft.name.trim(), slug });
    setMade(slug);
    await createProject(slug, project);
  };
  return (
    <section className="card narrow">
      <h2>{orgs.first}</h2>
      {local === undefined ? null : <p>{manage.org.local(local.name)}</p>}
      <p>{orgs.firstWhy}</p>
      <Form submit={orgs.createBoth} onSubmit={create}>
        <OrgFields label={orgs.orgName} draft={draft} />
        <NameField label={orgs.firstProject} name={project} onChange={setProject} />
      </Form>
    </section>
  );
}

function NewOrg({ page }: Pick<Managing, 'page'>) {
  const draft = useOrgDraft();
  const isWanted = useQueryValue('new') !== undefined;
  const create = async () => {
    const org = await page.management.orgs.create({ name: draft.name.trim(), slug: draft.slug });
    navigate(`/manage/orgs/${org.slug}`);
  };
  return (
    <details open={isWanted}>
      <summary>{orgs.make}</summary>
      <div className="card narrow">
        <Form submit={orgs.create} onSubmit={create}>
          <OrgFields label={orgs.name} draft={draft} />
        </Form>
      </div>
    </details>
  );
}
