import type { Database } from '../platform/db/database.js';
import { readMediaColumns } from './project-settings.sql.js';
import type { Sealer } from './seal-secret.js';

export interface MediaSettings {
  /** PEM certificates that the project trusts in addition to those of the service. */
  trustAnchorsPem: string | undefined;
  /** The project's own certificate and key for signing. Undefined unless both are set. */
  signer: { certificatePem: string; privateKeyPem: string } | undefined;
  aiTrainingOptOut: boolean;
}

/** Throws `Unavailable` when a secret cannot be decrypted. */
export type ReadMediaSettings = (projectId: string) => Promise<MediaSettings>;

/** The function has no cache, so a change applies immediately. */
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

/** A key that is copied to the row of another project cannot be decrypted. */
export function signingKeyContext(projectId: string): string {
  return `project ${projectId} signing key`;
}
