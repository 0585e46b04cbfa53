import type { InvitationCheck, JoinedOrg, PageSession } from '@colophon/model';
import type { PageClient } from '@colophon/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import { nameUser } from '../shell/name-user.js';
import { Link, useQueryValue } from '../shell/navigation.js';
import { useProject } from '../shell/project.js';
import { useSession } from '../shell/session.js';
import { useLoaded } from '../shell/use-loaded.js';
import { manage } from '../strings/manage.js';
import { record } from '../strings/record.js';
import { Notice } from '../ui/notice.js';
import { AccountField, PasswordField } from './account-fields.js';
import { forgetInvitation, takeInvitation } from './kept-invitation.js';
import { Form, Show } from './parts.js';
import { SignInWays } from './sign-in.js';

const { join } = manage;

export function JoinPage() {
  const [invitation, setInvitation] = useState(takeInvitation);
  useEffect(() => {
    // Another invitation link in this tab changes only the part of the address after the #.
    const take = () => setInvitation(takeInvitation());
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, []);
  if (invitation !== undefined) return <Invited key={invitation} invitation={invitation} />;
  return (
    <section className="card narrow">
      <h1>{join.title}</h1>
      <Notice kind="warning" title={join.none} />
    </section>
  );
}

function Invited({ invitation }: { invitation: string }) {
  const isFirst = useQueryValue('first') !== undefined;
  const [isReady, setIsReady] = useState(false);
  const { page, loaded } = useSession();
  const checked = useLoaded(useCallback(() => page.checkInvitation(invitation), [page, invitation]));
  // A failed check does not block the form, because the service checks the invitation again.
  const isChecking = checked.value === undefined && checked.fault === undefined;
  const isSignedIn = loaded.value?.signedIn === true;
  if (isReady) return <Welcome page={page} />;
  if (checked.value?.valid === false) return <Spent isFirst={isFirst} isSignedIn={isSignedIn} />;
  return (
    <section className="card narrow">
      <h1>{isFirst && !isSignedIn ? join.firstTitle : join.title}</h1>
      {checked.value === undefined || isFirst ? null : <Invitation of={checked.value} />}
      {isChecking ? (
        <p className="quiet">{manage.loading}</p>
      ) : (
        <Show loaded={loaded}>
          {(session) =>
            session.signedIn ? (
              <AsUser page={page} user={nameUser(session.user)} invitation={invitation} />
            ) : (
              <AsNew
                page={page}
                ways={session.ways}
                invitation={invitation}
                isFirst={isFirst}
                onSignedUp={() => setIsReady(true)}
                onSignedIn={loaded.reload}
              />
            )
          }
        </Show>
      )}
    </section>
  );
}

function Invitation({ of: { orgName, invitedBy, role } }: { of: InvitationCheck & { valid: true } }) {
  // A service of the previous version says only that the invitation is valid.
  if (orgName === undefined) return null;
  const name = manage.members.roles[role];
  return <p>{invitedBy === null ? join.invited(orgName, name) : join.invitedBy(invitedBy, orgName, name)}</p>;
}

function Spent({ isFirst, isSignedIn }: { isFirst: boolean; isSignedIn: boolean }) {
  useEffect(forgetInvitation, []);
  return (
    <section className="card narrow">
      <h1>{join.spent}</h1>
      <p>{join.spentWhy}</p>
      <p>{isFirst ? join.spentFirst : join.spentNext}</p>
      <p className="row">
        <Link className="button primary" to="/manage">
          {isSignedIn ? manage.orgs.title : manage.signIn.title}
        </Link>
      </p>
    </section>
  );
}

function Welcome({ page }: { page: PageClient }) {
  const loaded = useLoaded(useCallback(() => page.management.orgs.list(), [page]));
  const { client, isLoading } = useProject();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="card narrow">
      <h1 ref={heading} tabIndex={-1}>
        {join.ready}
      </h1>
      {isLoading ? <p className="quiet">{manage.loading}</p> : null}
      <Show loaded={loaded}>
        {(orgs) => (
          <>
            {client === undefined ? null : <ToFiles mayRecord={orgs.some(({ role }) => role !== 'viewer')} />}
            <ul className="bare">
              {orgs.map(({ slug, name }) => (
                <li key={slug}>
                  <Link to={`/manage/orgs/${slug}`}>{join.toOrg(name)}</Link>
                </li>
              ))}
            </ul>
          </>
        )}
      </Show>
    </section>
  );
}

function ToFiles({ mayRecord }: { mayRecord: boolean }) {
  return (
    <>
      {mayRecord ? <p>{join.readyNext}</p> : null}
      <p className="row">
        {mayRecord ? (
          <Link className="button primary" to="/record">
            {record.title}
          </Link>
        ) : null}
        <Link className="button" to="/">
          {join.toLibrary}
        </Link>
      </p>
    </>
  );
}

function AsUser({ page, user, invitation }: { page: PageClient; user: string; invitation: string }) {
  const [joined, setJoined] = useState<JoinedOrg>();
  const accept = async () => {
    setJoined(await page.join(invitation));
    forgetInvitation();
  };
  if (joined !== undefined) {
    return (
      <Notice kind="good" title={join.joined(joined.orgName, manage.members.roles[joined.role])}>
        <Link to={`/manage/orgs/${joined.orgSlug}`}>{join.toOrg(joined.orgName)}</Link>
      </Notice>
    );
  }
  return (
    <Form submit={join.take} onSubmit={accept}>
      <p>{join.asUser(user)}</p>
    </Form>
  );
}

function AsNew({
  page,
  ways,
  invitation,
  isFirst,
  onSignedUp,
  onSignedIn,
}: {
  page: PageClient;
  ways: PageSession['ways'];
  invitation: string;
  /** The first account of the service. */
  isFirst: boolean;
  onSignedUp: () => void;
  onSignedIn: () => void;
}) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const send = async () => {
    await page.signUp({ invitation, name: name.trim(), password });
    forgetInvitation();
    onSignedUp();
    onSignedIn();
  };
  if (!ways.password) return <SignInWays page={page} ways={ways} onDone={onSignedIn} />;
  return (
    <>
      <p>{isFirst ? join.firstAccount : join.newAccount}</p>
      <Form submit={join.make} busy={join.making} onSubmit={send}>
        <AccountField isNew value={name} onChange={setName} />
        <PasswordField label={manage.signIn.password} isNew value={password} onChange={setPassword} />
      </Form>
      <details>
        <summary>{join.have}</summary>
        <SignInWays page={page} ways={ways} onDone={onSignedIn} />
      </details>
    </>
  );
}
