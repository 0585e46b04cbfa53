import type { ProjectPatch } from '@colophon/model';
import { useState } from 'react';
import { certificates as texts } from '../../strings/certificates.js';
import { Notice } from '../../ui/notice.js';
import { namingFields } from '../name-fields.js';
import type { InProject } from '../project-page.js';
import { SigningPart } from './signing-part.js';
import { TrustPart } from './trust-part.js';

export interface CertificatesProps extends InProject {
  mayChange: boolean;
  change: (patch: ProjectPatch) => Promise<void>;
}

/** The certificates for signatures of the project, and those that it trusts. A viewer can only read them. */
export function Certificates(props: InProject) {
  const { page, project, role, reload } = props;
  const [isSaved, setIsSaved] = useState(false);
  const change = async (patch: ProjectPatch) => {
    setIsSaved(false);
    const names = {
      signingCertificate: texts.chain,
      signingKey: texts.keyField,
      trustAnchors: texts.anchor,
    };
    await namingFields(names, () => page.management.projects.update(project.id, patch));
    setIsSaved(true);
    reload();
  };
  const inner = { ...props, change, mayChange: role !== 'viewer' };
  return (
    <div className="stack">
      <div role="status">{isSaved ? <Notice kind="good" title={texts.saved} /> : null}</div>
      <SigningPart {...inner} />
      <TrustPart {...inner} />
    </div>
  );
}
