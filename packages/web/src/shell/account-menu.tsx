import { useState } from 'react';
import { shell } from '../strings/shell.js';
import { Button } from '../ui/button.js';
import { Menu } from '../ui/menu.js';
import { Notice } from '../ui/notice.js';
import { nameUser } from './name-user.js';
import { Link } from './navigation.js';
import { useSession } from './session.js';
import { useUnsavedForms } from './unsaved.js';
import { useDoing } from './use-loaded.js';

const { account } = shell;

export function AccountMenu() {
  const { page, loaded } = useSession();
  const leaving = useDoing();
  const unsaved = useUnsavedForms();
  const [asks, setAsks] = useState(false);
  if (loaded.value?.signedIn !== true) return null;
  const { user } = loaded.value;
  const name = nameUser(user);
  const leave = () =>
    leaving.run(async () => {
      await page.signOut();
      loaded.reload();
    });
  return (
    <Menu
      label={
        <>
          <span aria-hidden="true" className="initial">
            {[...name][0]?.toUpperCase()}
          </span>
          <span className="unseen">{account.label(name)}</span>
        </>
      }
    >
      <p>{shell.projects.signedIn(name)}</p>
      <Link to="/manage">{account.open}</Link>
      {asks ? (
        <Notice kind="warning" title={account.unsaved}>
          <div className="row">
            <Button kind="danger" onClick={leave} disabled={leaving.isBusy}>
              {account.leave}
            </Button>
            <Button onClick={() => setAsks(false)}>{account.stay}</Button>
          </div>
        </Notice>
      ) : (
        <Button onClick={() => (unsaved.forms > 0 ? setAsks(true) : leave())} disabled={leaving.isBusy}>
          {account.signOut}
        </Button>
      )}
      {leaving.fault === undefined ? null : <Notice kind="danger">{leaving.fault}</Notice>}
    </Menu>
  );
}
