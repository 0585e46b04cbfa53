import type { Project, Role } from '@colophon/model';
import { useCallback } from 'react';
import { Link } from '../shell/navigation.js';
import { useProject } from '../shell/project.js';
import type { StoryProps } from '../shell/story.js';
import { useLoaded } from '../shell/use-loaded.js';
import { certificates } from '../strings/certificates.js';
import { manage } from '../strings/manage.js';
import { pinning } from '../strings/pinning.js';
import { webhooks } from '../strings/webhooks.js';
import { Button } from '../ui/button.js';
import { CopyText } from '../ui/copy-text.js';
import { AddressedTabs } from './addressed-tabs.js';
import { Anchoring } from './anchoring.js';
import { Certificates } from './certificates/certificates.js';
import { Keys } from './keys.js';
import { Limits } from './limits.js';
import { Show } from './parts.js';
import { Pinning } from './pinning/pinning.js';
import { ProjectSettings } from './project-settings.js';
import { Report } from './report.js';
import { type Managing, SessionGate } from './session-gate.js';
import { UsagePart } from './usage.js';
import { Webhooks } from './webhooks.js';

const { project: texts } = manage;

export interface InProject extends Managing {
  project: Project;
  /** The user's role in the organisation of the project. */
  role: Role;
  reload: () => void;
}

export function ProjectPage({ values: { id = '' } }: StoryProps) {
  return <SessionGate>{(managing) => <OneProject key={id} id={id} {...managing} />}</SessionGate>;
}

function OneProject({ id, ...managing }: Managing & { id: string }) {
  const { page } = managing;
  const load = useCallback(async () => {
    const project = await page.management.projects.get(id);
    const { role, name } = await page.management.orgs.get(project.orgSlug);
    return { project, role, orgName: name };
  }, [page, id]);
  const loaded = useLoaded(load);
  return (
    <Show loaded={loaded}>
      {({ project, role, orgName }) => (
        <>
          <p className="row">
            <Link to={`/manage/orgs/${project.orgSlug}`}>← {orgName}</Link>
            <Link to={`/manage/orgs/${project.orgSlug}?tab=members`}>{texts.members(orgName)}</Link>
          </p>
          <div>
            <h1>{project.name}</h1>
            <p className="quiet">
              {texts.id}: <CopyText text={project.id} label={texts.id} />
            </p>
          </div>
          <InUse project={project} />
          <AddressedTabs
            label={texts.parts}
            tabs={tabsOf({ ...managing, project, role, reload: loaded.reload })}
          />
        </>
      )}
    </Show>
  );
}

function InUse({ project: { id, name } }: Pick<InProject, 'project'>) {
  const { chosen, key, isLoading, choose } = useProject();
  if (isLoading) return null;
  if (chosen?.id === id) return <p role="status">{texts.inUse}</p>;
  const ofKey = key === undefined ? texts.noneInUse : texts.keyInUse;
  return (
    <div className="row">
      <p role="status">{chosen === undefined ? ofKey : texts.otherInUse(chosen.name)}</p>
      <Button onClick={() => choose({ id, name })}>{texts.work(name)}</Button>
    </div>
  );
}

function tabsOf(props: InProject) {
  return [
    { id: 'keys', name: texts.keys, content: <Keys {...props} /> },
    { id: 'usage', name: texts.usage, content: <UsagePart {...props} /> },
    { id: 'report', name: manage.report.title, content: <Report {...props} /> },
    { id: 'limits', name: manage.limits.title, content: <Limits {...props} /> },
    { id: 'webhooks', name: webhooks.title, content: <Webhooks {...props} /> },
    { id: 'anchoring', name: texts.anchoring, content: <Anchoring {...props} /> },
    { id: 'pinning', name: pinning.title, content: <Pinning {...props} />, keepsInput: true },
    { id: 'certificates', name: certificates.title, content: <Certificates {...props} /> },
    ...(props.role === 'viewer'
      ? []
      : [{ id: 'settings', name: texts.settings, content: <ProjectSettings {...props} /> }]),
  ];
}
