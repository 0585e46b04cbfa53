import type { Database } from '../platform/db/database.js';
import { readMediaColumns } from './project-settings.sql.js';
import type { Sealer } from './seal-secret.js';

export interface MediaSettings {
  /** PEM certificates that the project trusts in addition to those of the service. */
  trustAnchorsPem: string | undefined;
  /** Certificate and key that the project signs with; present when both are set. */
  signer: { certificatePem: string; privateKeyPem: string } | undefined;
  /** The rights to mine its content for AI training are reserved. */
  aiTrainingOptOut: boolean;
}

/** Reads the settings of a project, secrets opened. Throws `Unavailable` when one cannot be opened. */
export type ReadMediaSettings = (projectId: string) => Promise<MediaSettings>;

/** Reads settings from the control plane, at every call, so a change applies immediately. */
export function createReadMediaSettings(control: Database, sealer: Sealer | undefined): ReadMediaSettings {
  return async (projectId) => {
    const stored = await readMediaColumns(control, projectId);
    const { signingCertificate, sealedSigningKey, trustAnchors, aiTrainingOptOut } = stored;
    const opened =
      sealedSigningKey === null ? undefined : sealer?.open(sealedSigningKey, signingKeyContext(projectId));
    return {
      aiTrainingOptOut,
      trustAnchorsPem: trustAnchors ?? undefined,
      signer:
        signingCertificate === null || opened === undefined
          ? undefined
          : { certificatePem: signingCertificate, privateKeyPem: opened },
    };
  };
}

/** Returns the context that a project's signing key is sealed for. The row of another project does not open it. */
export function signingKeyContext(projectId: string): string {
  return `project ${projectId} signing key`;
}
