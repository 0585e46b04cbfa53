import type { Org } from '@colophon/model';
import type { PageClient } from '@colophon/sdk';
import { type ToggleEvent, useCallback, useState } from 'react';
import { manage } from '../strings/manage.js';
import { shell } from '../strings/shell.js';
import { Button } from '../ui/button.js';
import { Notice } from '../ui/notice.js';
import { KeyForm } from './key-form.js';
import { nameUser } from './name-user.js';
import { Link, usePath } from './navigation.js';
import { pathToNewProject } from './own-org.js';
import { useProject } from './project.js';
import { useSession } from './session.js';
import { toSignIn } from './to-sign-in.js';
import { useLoaded } from './use-loaded.js';

const { projects: texts } = shell;
/** Organisations whose projects the dialog lists at first. */
const MAX_OPEN = 3;

/** `next`: the address after a sign-in; by default, the present one. */
export function Switcher({ onDone, next }: { onDone: () => void; next?: string | undefined }) {
  const path = usePath();
  const { page, loaded } = useSession();
  const session = loaded.value;
  const { key, chosen } = useProject();
  return (
    <>
      {session?.signedIn ? (
        <>
          <p>{texts.signedIn(nameUser(session.user))}</p>
          <Orgs page={page} onDone={onDone} />
        </>
      ) : (
        <>
          <p>{texts.signInWhy}</p>
          <div className="row">
            <Link
              className="button primary"
              to={toSignIn(next ?? `${path}${window.location.search}`)}
              onClick={onDone}
            >
              {texts.signIn}
            </Link>
          </div>
        </>
      )}
      {key === undefined ? null : <KeptKey onDone={onDone} />}
      <details open={session?.signedIn !== true && key === undefined && chosen === undefined}>
        <summary>{texts.byKey}</summary>
        <div className="stack">
          <p>{shell.key.why}</p>
          <KeyForm onDone={onDone} />
        </div>
      </details>
    </>
  );
}

function Orgs({ page, onDone }: { page: PageClient; onDone: () => void }) {
  const { value: orgs, fault } = useLoaded(useCallback(() => page.management.orgs.list(), [page]));
  if (fault !== undefined) return <Notice kind="danger">{fault}</Notice>;
  if (orgs === undefined) return <p className="quiet">{shell.loading}</p>;
  return (
    <>
      {orgs.length === 0 ? <p>{texts.noOrg}</p> : null}
      {orgs.map((org, index) => (
        <OneOrg key={org.slug} page={page} org={org} isFirst={index < MAX_OPEN} onDone={onDone} />
      ))}
      <Link to={pathToNewProject(orgs)} onClick={onDone}>
        {texts.manage}
      </Link>
    </>
  );
}

interface InSwitcher {
  page: PageClient;
  org: Org;
  onDone: () => void;
}

function OneOrg({ isFirst, ...props }: InSwitcher & { isFirst: boolean }) {
  const [isOpen, setIsOpen] = useState(isFirst);
  const toggle = ({ newState }: ToggleEvent<HTMLDetailsElement>) => setIsOpen(newState === 'open');
  return (
    <details open={isOpen} onToggle={toggle}>
      <summary>{texts.role(props.org.name, manage.members.roles[props.org.role])}</summary>
      {isOpen ? <ProjectsOf {...props} /> : null}
    </details>
  );
}

function ProjectsOf({ page, org, onDone }: InSwitcher) {
  const { chosen, choose } = useProject();
  const load = useCallback(() => page.management.projects.list(org.slug), [page, org.slug]);
  const { value: projects, fault } = useLoaded(load);
  if (fault !== undefined) return <Notice kind="danger">{fault}</Notice>;
  if (projects === undefined) return <p className="quiet">{shell.loading}</p>;
  if (projects.length === 0) return <p className="quiet">{texts.none}</p>;
  return (
    <ul className="switcher">
      {projects.map(({ id, name }) => (
        <li key={id}>
          <Button
            kind="quiet"
            aria-current={id === chosen?.id ? 'true' : undefined}
            onClick={() => {
              choose({ id, name });
              onDone();
            }}
          >
            {name}
            {id === chosen?.id ? <span className="quiet"> ({texts.inUseNow})</span> : null}
          </Button>
        </li>
      ))}
    </ul>
  );
}

function KeptKey({ onDone }: { onDone: () => void }) {
  const { key = '', chosen, choose, setKey } = useProject();
  const shown = `${key.slice(0, 12)}…`;
  return (
    <div className="stack">
      <p>{chosen === undefined ? texts.keyInUse(shown) : texts.keyKept(shown)}</p>
      <div className="row">
        {chosen === undefined ? null : (
          <Button
            onClick={() => {
              choose(undefined);
              onDone();
            }}
          >
            {texts.useKey}
          </Button>
        )}
        <Button
          onClick={() => {
            setKey(undefined);
            onDone();
          }}
        >
          {shell.key.forget}
        </Button>
      </div>
    </div>
  );
}
