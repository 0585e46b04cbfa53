import type { Org } from '@colophon/model';
import { useCallback } from 'react';
import { Link } from '../shell/navigation.js';
import type { StoryProps } from '../shell/story.js';
import { useLoaded } from '../shell/use-loaded.js';
import { manage } from '../strings/manage.js';
import { AddressedTabs } from './addressed-tabs.js';
import { Audit } from './audit.js';
import { Members } from './members.js';
import { OrgSettings } from './org-settings.js';
import { Show } from './parts.js';
import { Projects } from './projects.js';
import { type Managing, SessionGate } from './session-gate.js';

const { org: texts } = manage;

export interface InOrg extends Managing {
  org: Org;
  reload: () => void;
}

export function OrgPage({ values: { slug = '' } }: StoryProps) {
  return <SessionGate>{(managing) => <OneOrg key={slug} slug={slug} {...managing} />}</SessionGate>;
}

function OneOrg({ slug, ...managing }: Managing & { slug: string }) {
  const { page } = managing;
  const loaded = useLoaded(useCallback(() => page.management.orgs.get(slug), [page, slug]));
  return (
    <>
      <Link to="/manage">← {texts.back}</Link>
      <Show loaded={loaded}>
        {(org) => (
          <>
            <div>
              <h1>{org.name}</h1>
              <p className="quiet">
                {org.slug} · {manage.orgs.role}: {manage.members.roles[org.role]}
              </p>
            </div>
            <AddressedTabs label={texts.parts} tabs={tabsOf({ ...managing, org, reload: loaded.reload })} />
          </>
        )}
      </Show>
    </>
  );
}

function tabsOf(props: InOrg) {
  const isAdmin = ['owner', 'admin'].includes(props.org.role);
  return [
    { id: 'projects', name: texts.projects, content: <Projects {...props} /> },
    { id: 'members', name: texts.members, content: <Members {...props} isAdmin={isAdmin} /> },
    ...(isAdmin
      ? [
          { id: 'audit', name: texts.audit, content: <Audit {...props} /> },
          { id: 'settings', name: texts.settings, content: <OrgSettings {...props} /> },
        ]
      : []),
  ];
}
