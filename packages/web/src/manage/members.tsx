import type { Member, Role } from '@colophon/model';
import { useCallback } from 'react';
import { nameUser } from '../shell/name-user.js';
import { navigate } from '../shell/navigation.js';
import { type Doing, useDoing, useLoaded } from '../shell/use-loaded.js';
import { manage } from '../strings/manage.js';
import { Button } from '../ui/button.js';
import { Choice } from '../ui/choice.js';
import { Instant } from '../ui/instant.js';
import { Invitations } from './invitations.js';
import type { InOrg } from './org-page.js';
import { Fault, Show, Table } from './parts.js';
import { rolesUpTo } from './roles-up-to.js';

const { members: texts } = manage;

export function Members(props: InOrg & { isAdmin: boolean }) {
  const { page, org, isAdmin } = props;
  const loaded = useLoaded(useCallback(() => page.management.orgs.members(org.slug), [page, org.slug]));
  const doing = useDoing();
  return (
    <div className="stack">
      <Fault of={doing} />
      <Show loaded={loaded}>
        {(list) => (
          <Table label={manage.org.members} stacks head={[texts.user, texts.role, texts.since, '']}>
            {list.map((member) => (
              <Row key={member.userId} {...props} member={member} doing={doing} onChanged={loaded.reload} />
            ))}
          </Table>
        )}
      </Show>
      {isAdmin ? <Invitations {...props} /> : null}
    </div>
  );
}

function Row({
  page,
  org,
  session,
  isAdmin,
  member: { userId, name: givenName, role, createdAt },
  doing,
  onChanged,
}: InOrg & { isAdmin: boolean; member: Member; doing: Doing; onChanged: () => void }) {
  const name = nameUser({ id: userId, name: givenName });
  const isSelf = userId === session.user.id;
  const may = isAdmin && rolesUpTo(org.role).includes(role);
  const change = (to: Role) =>
    doing.run(async () => {
      await page.management.orgs.changeMember(org.slug, userId, { role: to });
      onChanged();
    });
  const remove = () =>
    doing.run(async () => {
      await page.management.orgs.removeMember(org.slug, userId);
      if (isSelf) navigate('/manage');
      else onChanged();
    });
  const roles = rolesUpTo(org.role).map((value) => ({ value, text: texts.roles[value] }));
  return (
    <tr>
      <td>
        {name}
        {isSelf ? ` (${texts.you})` : ''}
        {name === userId ? null : (
          <div className="hint">
            {manage.account.id}: {userId}
          </div>
        )}
      </td>
      <td>
        {may ? (
          <Choice label={texts.roleOf(name)} isLabelUnseen value={role} options={roles} onChoose={change} />
        ) : (
          texts.roles[role]
        )}
      </td>
      <td data-name={texts.since}>
        <Instant at={createdAt} />
      </td>
      <td className="row-actions">
        {may || isSelf ? (
          <Button kind="quiet" onClick={remove} aria-label={isSelf ? texts.leave : texts.removeOf(name)}>
            {isSelf ? texts.leave : texts.remove}
          </Button>
        ) : null}
      </td>
    </tr>
  );
}
