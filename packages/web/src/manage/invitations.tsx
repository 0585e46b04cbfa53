import type { Invitation, OpenInvitation, Role } from '@colophon/model';
import { useCallback, useState } from 'react';
import { formatInstant } from '../languages/formats.js';
import { LocalNote } from '../shell/local-note.js';
import { nameUser } from '../shell/name-user.js';
import { useDoing, useLoaded } from '../shell/use-loaded.js';
import { manage } from '../strings/manage.js';
import { Button } from '../ui/button.js';
import { Choice } from '../ui/choice.js';
import { CopyText } from '../ui/copy-text.js';
import { Instant } from '../ui/instant.js';
import { Notice } from '../ui/notice.js';
import type { InOrg } from './org-page.js';
import { Fault, Form, Show, Table } from './parts.js';
import { rolesUpTo } from './roles-up-to.js';

const { members: texts } = manage;

export function Invitations(props: InOrg) {
  const { page, org } = props;
  const [made, setMade] = useState<Invitation>();
  const loaded = useLoaded(useCallback(() => page.management.orgs.invitations(org.slug), [page, org.slug]));
  const withdrawing = useDoing();
  const withdraw = (id: string) =>
    withdrawing.run(async () => {
      await page.management.orgs.withdrawInvitation(org.slug, id);
      // The link no longer works.
      setMade((before) => (before?.id === id ? undefined : before));
      loaded.reload();
    });
  const take = (invitation: Invitation) => {
    setMade(invitation);
    loaded.reload();
  };
  return (
    <>
      <Invite {...props} made={made} onMade={take} />
      <section className="stack">
        <h2>{texts.open}</h2>
        <Fault of={withdrawing} />
        <Show loaded={loaded}>
          {(list) =>
            list.length === 0 ? (
              <p>{texts.noneOpen}</p>
            ) : (
              <Table
                label={texts.open}
                stacks
                head={[texts.role, texts.madeBy, texts.createdAt, texts.expiresAt, '']}
              >
                {list.map((one) => (
                  <Row key={one.id} invitation={one} own={org.role} onWithdraw={() => withdraw(one.id)} />
                ))}
              </Table>
            )
          }
        </Show>
      </section>
    </>
  );
}

function Row({
  invitation: { role, madeBy, createdAt, expiresAt },
  own,
  onWithdraw,
}: {
  invitation: OpenInvitation;
  own: Role;
  onWithdraw: () => void;
}) {
  return (
    <tr>
      <td>{texts.roles[role]}</td>
      <td data-name={texts.madeBy}>{nameUser({ id: madeBy, name: null })}</td>
      <td data-name={texts.createdAt}>
        <Instant at={createdAt} />
      </td>
      <td data-name={texts.expiresAt}>
        <Instant at={expiresAt} />
      </td>
      <td className="row-actions">
        {rolesUpTo(own).includes(role) ? (
          <Button
            kind="quiet"
            onClick={onWithdraw}
            aria-label={texts.withdrawOf(texts.roles[role], formatInstant(createdAt))}
          >
            {texts.withdraw}
          </Button>
        ) : null}
      </td>
    </tr>
  );
}

function Invite({
  page,
  org,
  made,
  onMade,
}: InOrg & { made: Invitation | undefined; onMade: (made: Invitation) => void }) {
  const [role, setRole] = useState<Role>('developer');
  const roles = rolesUpTo(org.role).map((value) => ({ value, text: texts.roles[value] }));
  const make = async () => onMade(await page.management.orgs.invite(org.slug, { role }));
  return (
    <section className="card narrow">
      <h2>{texts.invite}</h2>
      <p className="hint">{texts.inviteHelp}</p>
      <Form submit={texts.makeLink} onSubmit={make}>
        <Choice label={texts.role} value={role} options={roles} hint={texts.moreOfRoles} onChoose={setRole} />
      </Form>
      <div role="status">
        {made === undefined ? null : (
          <Notice kind="good" title={texts.shownOnce}>
            <div className="once">
              <CopyText text={`${window.location.origin}${made.path}`} label={texts.link} />
            </div>
            <LocalNote />
          </Notice>
        )}
      </div>
    </section>
  );
}
