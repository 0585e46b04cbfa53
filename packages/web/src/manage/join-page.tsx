import type { JoinedOrg, PageSession } from '@colophon/model';
import type { PageClient } from '@colophon/sdk';
import { useState } from 'react';
import { Link, navigate } from '../shell/navigation.js';
import { useSession } from '../shell/session.js';
import { manage } from '../strings/manage.js';
import { Notice } from '../ui/notice.js';
import { AccountField, PasswordField } from './account-fields.js';
import { forgetInvitation, takeInvitation } from './kept-invitation.js';
import { Form, Show } from './parts.js';
import { SignInWays } from './sign-in.js';

const { join } = manage;

/** Accepts an invitation, with a new account or as the signed-in user. */
export function JoinPage() {
  const [invitation] = useState(takeInvitation);
  const { page, loaded } = useSession();
  return (
    <section className="card narrow">
      <h1>{join.title}</h1>
      {invitation === undefined ? (
        <Notice kind="warning" title={join.none} />
      ) : (
        <Show loaded={loaded}>
          {(session) =>
            session.signedIn ? (
              <AsUser page={page} user={session.user.id} invitation={invitation} />
            ) : (
              <AsNew page={page} ways={session.ways} invitation={invitation} onSignedIn={loaded.reload} />
            )
          }
        </Show>
      )}
    </section>
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
      <Notice kind="good" title={join.joined(joined.orgName, joined.role)}>
        <Link to={`/manage/orgs/${joined.orgSlug}`}>{join.toOrg}</Link>
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
  onSignedIn,
}: {
  page: PageClient;
  ways: PageSession['ways'];
  invitation: string;
  onSignedIn: () => void;
}) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const send = async () => {
    await page.signUp({ invitation, name: name.trim(), password });
    forgetInvitation();
    onSignedIn();
    navigate('/manage');
  };
  if (!ways.password) return <SignInWays page={page} ways={ways} onDone={onSignedIn} />;
  return (
    <>
      <p>{join.newAccount}</p>
      <Form submit={join.make} busy={join.making} onSubmit={send}>
        <AccountField hint={join.nameHint} value={name} onChange={setName} />
        <PasswordField label={manage.signIn.password} isNew value={password} onChange={setPassword} />
      </Form>
      <details>
        <summary>{join.have}</summary>
        <SignInWays page={page} ways={ways} onDone={onSignedIn} />
      </details>
    </>
  );
}
