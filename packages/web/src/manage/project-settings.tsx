import { useState } from 'react';
import { navigate } from '../shell/navigation.js';
import { manage } from '../strings/manage.js';
import { Field } from '../ui/field.js';
import { Notice } from '../ui/notice.js';
import { DeleteCard } from './delete-card.js';
import { Check, Form, NameField } from './parts.js';
import type { InProject } from './project-page.js';

const { settings: texts } = manage;

export function ProjectSettings({ page, project, role, reload }: InProject) {
  const remove = async () => {
    await page.management.projects.delete(project.id);
    navigate(`/manage/orgs/${project.orgSlug}`);
  };
  const isAdmin = role === 'owner' || role === 'admin';
  const mayDelete = isAdmin && project.orgSlug !== 'local';
  return (
    <div className="stack">
      <Settings page={page} project={project} reload={reload} isAdmin={isAdmin} />
      {mayDelete ? (
        <DeleteCard
          title={texts.remove}
          help={texts.removeHelp}
          confirm={texts.removeConfirm(project.slug)}
          word={project.slug}
          onDelete={remove}
        />
      ) : null}
    </div>
  );
}

/** Settings that make parts of a project public. */
const SHARED = ['publicChecks', 'publicDetector', 'publicLog'] as const;
type Shared = Record<(typeof SHARED)[number], boolean>;

interface SettingsInputs extends Pick<InProject, 'page' | 'project' | 'reload'> {
  /** Only `admin` and `owner` may make the log of a project public. */
  isAdmin: boolean;
}

function Settings({ page, project, reload, isAdmin }: SettingsInputs) {
  const [name, setName] = useState(project.name);
  const [description, setDescription] = useState(project.description ?? '');
  const [aiTrainingOptOut, setOptOut] = useState(project.aiTrainingOptOut);
  const { publicChecks, publicDetector, publicLog } = project;
  const [shared, setShared] = useState<Shared>({ publicChecks, publicDetector, publicLog });
  const [isSaved, setIsSaved] = useState(false);
  const save = async () => {
    setIsSaved(false);
    const said = description.trim() === '' ? null : description.trim();
    const patch = { name: name.trim(), description: said, aiTrainingOptOut, ...shared };
    await page.management.projects.update(project.id, patch);
    setIsSaved(true);
    reload();
  };
  return (
    <section className="card narrow">
      <Form submit={texts.save} onSubmit={save}>
        <NameField label={texts.name} name={name} onChange={setName} />
        <Field
          label={texts.description}
          maxLength={500}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <Check label={texts.optOut} isOn={aiTrainingOptOut} onChange={setOptOut} />
        {SHARED.filter((setting) => setting !== 'publicLog' || isAdmin || publicLog).map((setting) => (
          <Check
            key={setting}
            label={texts[setting]}
            isOn={shared[setting]}
            onChange={(isOn) => setShared({ ...shared, [setting]: isOn })}
          />
        ))}
      </Form>
      <div role="status">{isSaved ? <Notice kind="good" title={texts.saved} /> : null}</div>
    </section>
  );
}
