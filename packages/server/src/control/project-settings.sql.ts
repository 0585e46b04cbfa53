import type { Queryable } from '../platform/db/database.js';

export interface MediaColumns {
  signingCertificate: string | null;
  sealedSigningKey: string | null;
  trustAnchors: string | null;
  aiTrainingOptOut: boolean;
}

/** Returns default values when the project does not exist. */
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

export interface PinningColumns {
  storageType: 'local' | 'ipfs' | null;
  ipfsProvider: 'pinata' | 'kubo' | null;
  ipfsGateway: string | null;
  sealedIpfsKey: string | null;
}

/** For a deleted project, `storageType` is `local`, so that its content is not pinned. */
export async function readPinningColumns(
  db: Queryable,
  projectId: string,
): Promise<PinningColumns | undefined> {
  const [row] = await db.query<PinningColumns>(
    `select case when deleted_at is null then storage_type else 'local' end as "storageType", ipfs_provider as "ipfsProvider", ipfs_gateway as "ipfsGateway",
       sealed_ipfs_key as "sealedIpfsKey"
     from control.project where id = $1`,
    [projectId],
  );
  return row;
}
