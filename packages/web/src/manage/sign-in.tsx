import type { PageSession } from '@colophon/model';
import type { PageClient } from '@colophon/sdk';
import { useState } from 'react';
import { manage } from '../strings/manage.js';
import { Notice } from '../ui/notice.js';
import { AccountField, isAccountName, PasswordField } from './account-fields.js';
import { failureOf, openIdAddress } from './by-provider.js';
import { Form } from './parts.js';

const { signIn } = manage;

interface SignInProps {
  page: PageClient;
  ways: PageSession['ways'];
  /** Path below `/app` after the sign-in; by default, the current path. */
  next?: string | undefined;
  /** The sign-in with a provider opens in a new tab. */
  isAside?: boolean;
  onDone: () => void;
}

export function SignIn(props: SignInProps) {
  const { ways } = props;
  const failure = failureOf(window.location.search);
  return (
    <section className="card narrow">
      <h1>{signIn.title}</h1>
      <p>{signIn.why}</p>
      {failure === undefined ? null : <Notice kind="danger" title={failure} />}
      <SignInWays {...props} />
      {ways.password ? (
        <details>
          <summary>{signIn.noAccount}</summary>
          <p className="hint">{signIn.noAccountHelp}</p>
        </details>
      ) : null}
      {ways.password || ways.openId !== null ? null : <Notice kind="warning" title={signIn.noWay} />}
    </section>
  );
}

export function SignInWays({ page, ways, next, isAside = false, onDone }: SignInProps) {
  const returnTo = next === undefined ? window.location.pathname : `/app${next}`;
  return (
    <>
      {ways.openId === null ? null : (
        <p>
          <a
            className="button primary"
            href={openIdAddress(returnTo)}
            target={isAside ? '_blank' : undefined}
          >
            {signIn.byProvider(ways.openId)}
          </a>
        </p>
      )}
      {ways.password ? <PasswordForm page={page} onDone={onDone} /> : null}
    </>
  );
}

function PasswordForm({ page, onDone }: Pick<SignInProps, 'page' | 'onDone'>) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const send = async () => {
    if (!isAccountName(name)) throw new Error(signIn.notAName);
    await page.signIn({ name: name.trim(), password });
    onDone();
  };
  return (
    <Form submit={signIn.go} busy={signIn.going} onSubmit={send}>
      <AccountField value={name} onChange={setName} />
      <PasswordField label={signIn.password} value={password} onChange={setPassword} />
    </Form>
  );
}
