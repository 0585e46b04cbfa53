import { useState } from 'react';
import { nameUser } from '../shell/name-user.js';
import { useDoing } from '../shell/use-loaded.js';
import { manage } from '../strings/manage.js';
import { shell } from '../strings/shell.js';
import { Button } from '../ui/button.js';
import { CopyText } from '../ui/copy-text.js';
import { Instant } from '../ui/instant.js';
import { Notice } from '../ui/notice.js';
import { PasswordField } from './account-fields.js';
import { Fault, Form } from './parts.js';
import type { Managing } from './session-gate.js';

const { account } = manage;

export function Account({ page, session, renew }: Managing) {
  const leaving = useDoing();
  const leave = () =>
    leaving.run(async () => {
      await page.signOut();
      renew();
    });
  const { user } = session;
  return (
    <section className="card">
      <div className="split">
        <h2>{account.title}</h2>
        <Button onClick={leave} disabled={leaving.isBusy}>
          {shell.account.signOut}
        </Button>
      </div>
      <Fault of={leaving} />
      <p>{nameUser(user)}</p>
      <dl className="facts">
        <dt>{account.id}</dt>
        <dd>
          <CopyText text={user.id} label={account.id} />
        </dd>
        <dt>{account.until}</dt>
        <dd>
          <Instant at={session.expiresAt} />
        </dd>
      </dl>
      {session.way === 'password' ? <Password page={page} /> : null}
    </section>
  );
}

function Password({ page }: Pick<Managing, 'page'>) {
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNext] = useState('');
  const [isChanged, setIsChanged] = useState(false);
  const send = async () => {
    setIsChanged(false);
    await page.changePassword({ currentPassword, newPassword });
    setCurrent('');
    setNext('');
    setIsChanged(true);
  };
  return (
    <details>
      <summary>{account.password}</summary>
      <div className="narrow">
        <Form submit={account.change} onSubmit={send}>
          <PasswordField label={account.current} value={currentPassword} onChange={setCurrent} />
          <PasswordField label={account.next} isNew value={newPassword} onChange={setNext} />
        </Form>
        <div role="status">{isChanged ? <Notice kind="good" title={account.changed} /> : null}</div>
      </div>
    </details>
  );
}
