import type { Queryable } from '../db/database.js';

/** What a project has set for its media, as stored. */
export interface MediaColumns {
  signingCertificate: string | null;
  sealedSigningKey: string | null;
  trustAnchors: string | null;
  aiTrainingOptOut: boolean;
}

/** The media settings of a project; none when it is not there. */
export async function readMediaColumns(db: Queryable, projectId: string): Promise<MediaColumns> {
  const [row] = await db.query<MediaColumns>(
    `select signing_certificate as "signingCertificate", sealed_signing_key as "sealedSigningKey",
       trust_anchors as "trustAnchors", ai_training_opt_out as "aiTrainingOptOut"
     from control.project where id = $1`,
    [projectId],
  );
  return (
    row ?? { signingCertificate: null, sealedSigningKey: null, trustAnchors: null, aiTrainingOptOut: false }
  );
}
