import type { Project, ProjectPatch } from '@colophon/model';
import { useState } from 'react';
import { certificates as texts } from '../../strings/certificates.js';
import { Notice } from '../../ui/notice.js';
import { namingFields } from '../name-fields.js';
import type { InProject } from '../project-page.js';
import { readCertificates } from './read-certificates.js';
import { SigningPart } from './signing-part.js';
import { TrustPart } from './trust-part.js';

export interface CertificatesProps extends InProject {
  mayChange: boolean;
  change: (patch: ProjectPatch) => Promise<void>;
  /** Each item of the list is a PEM block. */
  changeAnchors: (next: (stored: string[]) => string[]) => Promise<void>;
  /** Removes the message about an earlier change. */
  onEdit: () => void;
}

export function Certificates(props: InProject) {
  const { page, role, reload } = props;
  // The response to the last change, because `reload` can take longer.
  const [project, setProject] = useState<Project>(props.project);
  const [isSaved, setIsSaved] = useState(false);
  const change = async (patch: ProjectPatch) => {
    setIsSaved(false);
    const names = {
      signingCertificate: texts.chain,
      signingKey: texts.keyField,
      trustAnchors: texts.anchor,
    };
    setProject(await namingFields(names, () => page.management.projects.update(project.id, patch)));
    setIsSaved(true);
    reload();
  };
  const changeAnchors = async (next: (stored: string[]) => string[]) => {
    // Another user, or another tab, may have changed the list since.
    const { trustAnchors } = await page.management.projects.get(project.id);
    const anchors = next(readCertificates(trustAnchors ?? '').map(({ pem }) => pem));
    await change({ trustAnchors: anchors.length === 0 ? null : anchors.join('\n') });
  };
  const onEdit = () => setIsSaved(false);
  const inner = { ...props, project, change, changeAnchors, onEdit, mayChange: role !== 'viewer' };
  return (
    <div className="stack">
      <div role="status">{isSaved ? <Notice kind="good" title={texts.saved} /> : null}</div>
      <SigningPart {...inner} />
      <TrustPart {...inner} />
    </div>
  );
}
