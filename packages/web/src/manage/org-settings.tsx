import { useState } from 'react';
import { navigate } from '../shell/navigation.js';
import { LOCAL_ORG } from '../shell/own-org.js';
import { manage } from '../strings/manage.js';
import { DeleteCard } from './delete-card.js';
import type { InOrg } from './org-page.js';
import { Form, NameField } from './parts.js';

const { org: texts } = manage;

export function OrgSettings({ page, org, reload }: InOrg) {
  const [name, setName] = useState(org.name);
  const rename = async () => {
    await page.management.orgs.update(org.slug, { name: name.trim() });
    reload();
  };
  const remove = async () => {
    await page.management.orgs.delete(org.slug);
    navigate('/manage');
  };
  return (
    <div className="stack">
      <section className="card narrow">
        <Form submit={texts.rename} onSubmit={rename}>
          <NameField label={manage.orgs.name} name={name} onChange={setName} />
        </Form>
      </section>
      {org.role === 'owner' && org.slug !== LOCAL_ORG ? (
        <DeleteCard
          title={texts.remove}
          help={texts.removeHelp}
          confirm={texts.removeConfirm(org.slug)}
          word={org.slug}
          onDelete={remove}
        />
      ) : null}
    </div>
  );
}
