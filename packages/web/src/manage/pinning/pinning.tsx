import type { Project, ProjectPatch } from '@colophon/model';
import { useState } from 'react';
import { pinning as texts } from '../../strings/pinning.js';
import { FactRow } from '../../ui/fact-row.js';
import { Notice } from '../../ui/notice.js';
import { ConfirmButton } from '../confirm-button.js';
import { namingFields } from '../name-fields.js';
import type { InProject } from '../project-page.js';
import { type PinningDraft, toDraft, toPatch } from './pinning-draft.js';
import { PinningForm } from './pinning-form.js';

export function Pinning({ page, project, role, reload }: InProject) {
  const [draft, setDraft] = useState(() => toDraft(project));
  const [isSaved, setIsSaved] = useState(false);
  const isOwn = project.ipfsProvider !== null;
  const update = async (patch: ProjectPatch) => {
    setIsSaved(false);
    const names = { ipfsApiKey: texts.token, ipfsGateway: texts.address, ipfsProvider: texts.provider };
    const change = () => page.management.projects.update(project.id, patch);
    setDraft(toDraft(await namingFields(names, change)));
    setIsSaved(true);
    reload();
  };
  const edit = (part: Partial<PinningDraft>) => {
    setIsSaved(false);
    setDraft({ ...draft, ...part });
  };
  const remove = () => {
    const own = { ipfsProvider: null, ipfsApiKey: null, ipfsGateway: null };
    // The service can reject `ipfs` for a project without a pinning service.
    return update(project.storageType === 'ipfs' ? { ...own, storageType: null } : own);
  };
  return (
    <div className="stack">
      <p>{texts.why}</p>
      <section className="card narrow">
        <Facts project={project} />
        {role === 'viewer' || !isOwn ? null : (
          <div className="row">
            <ConfirmButton
              name={texts.remove}
              title={texts.removeTitle}
              help={texts.removeHelp}
              onConfirm={remove}
            />
          </div>
        )}
      </section>
      {role === 'viewer' ? null : (
        <section className="card narrow">
          <PinningForm
            project={project}
            draft={draft}
            onChange={edit}
            onSave={() => update(toPatch(draft, project))}
          />
          <div role="status">{isSaved ? <Notice kind="good" title={texts.saved} /> : null}</div>
        </section>
      )}
    </div>
  );
}

function Facts({ project: { storageType, ipfsProvider, ipfsApiKeySet, ipfsGateway } }: { project: Project }) {
  return (
    <dl className="facts">
      <FactRow name={texts.state} value={texts.states[storageType ?? 'default']} />
      <FactRow name={texts.provider} value={texts.providers[ipfsProvider ?? 'none']} />
      <FactRow name={texts.address} value={ipfsGateway ?? undefined} />
      {ipfsProvider === null ? null : (
        <FactRow name={texts.token} value={ipfsApiKeySet ? texts.tokenSet : texts.tokenAbsent} />
      )}
    </dl>
  );
}
