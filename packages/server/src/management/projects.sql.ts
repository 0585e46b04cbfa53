import type { Project, ProjectItem, ProjectLimits } from '@colophon/model';
import { LIMIT_COLUMNS, nestLimits } from '../control/project-limits.sql.js';
import type { Queryable, Tx } from '../platform/db/database.js';
import { UNNAMED } from '../platform/db/unnamed-statement.js';
import type { CreatedCounts } from './assert-below-limit.js';

export type ProjectRow = Omit<Project, ConfiguredField>;
/** A project in a list, without its certificates. */
export type ProjectItemRow = Omit<ProjectItem, ConfiguredField>;
type ConfiguredField = 'apiUrl' | 'chainId' | 'contractAddress' | 'rpcUrl';
type Stored<Row> = Omit<Row, 'createdAt' | 'updatedAt' | 'limits'> &
  ProjectLimits & { createdAt: Date; updatedAt: Date };

/** The columns that a caller can set. A sealed key is encrypted. */
export interface ProjectSettings {
  name?: string | undefined;
  slug?: string | undefined;
  description?: string | null | undefined;
  aiTrainingOptOut?: boolean | undefined;
  anchoring?: boolean | undefined;
  publicChecks?: boolean | undefined;
  publicLog?: boolean | undefined;
  publicDetector?: boolean | undefined;
  signingCertificate?: string | null | undefined;
  sealedSigningKey?: string | null | undefined;
  trustAnchors?: string | null | undefined;
  storageType?: string | null | undefined;
  ipfsProvider?: string | null | undefined;
  ipfsGateway?: string | null | undefined;
  sealedIpfsKey?: string | null | undefined;
  storedBytes?: number | null | undefined;
  records?: number | null | undefined;
  requestsPerMonth?: number | null | undefined;
  concurrentUploads?: number | null | undefined;
}

const ITEM_COLUMNS = `p.id, p.org_id as "orgId", o.slug as "orgSlug", p.name, p.slug, p.description,
    p.ai_training_opt_out as "aiTrainingOptOut", p.anchoring, p.public_checks as "publicChecks",
    p.public_log as "publicLog", p.public_detector as "publicDetector",
    p.sealed_signing_key is not null as "signingKeySet",
    p.storage_type as "storageType", p.ipfs_provider as "ipfsProvider", p.ipfs_gateway as "ipfsGateway",
    p.sealed_ipfs_key is not null as "ipfsApiKeySet",
    ${LIMIT_COLUMNS},
    p.created_at as "createdAt", p.updated_at as "updatedAt"`;

const FROM_LIVE = `from control.project p join control.org o on o.id = p.org_id
  where p.deleted_at is null`;

const MAX_LISTED = 1_000;

/** Lists the 1,000 newest projects of an organisation, oldest first, without their certificates. */
export async function listProjectRows(db: Queryable, orgId: string): Promise<ProjectItemRow[]> {
  const rows = await db.query<Stored<ProjectItemRow>>(
    `select ${ITEM_COLUMNS} ${FROM_LIVE} and p.org_id = $1 order by p.created_at desc, p.id desc limit $2`,
    [orgId, MAX_LISTED],
  );
  return rows.map((row) => withTexts(row)).reverse();
}

export async function readProjectRow(db: Queryable, id: string): Promise<ProjectRow | undefined> {
  const [row] = await db.query<Stored<ProjectRow>>(
    `select ${ITEM_COLUMNS}, p.signing_certificate as "signingCertificate", p.trust_anchors as "trustAnchors"
     ${FROM_LIVE} and p.id = $1`,
    [id],
  );
  return row && withTexts(row);
}

/** Returns undefined for a deleted project. */
export async function readProjectNames(
  db: Queryable,
  id: string,
): Promise<{ name: string; orgName: string } | undefined> {
  const [row] = await db.query<{ name: string; orgName: string }>(
    `select p.name, o.name as "orgName" ${FROM_LIVE} and p.id = $1`,
    [id],
  );
  return row;
}

export async function countProjects(tx: Tx, orgId: string): Promise<CreatedCounts> {
  const [row] = await tx.query<CreatedCounts>(
    `select (select count(*) from control.project where org_id = $1 and deleted_at is null)::int as live,
       (select count(*) from control.project
        where org_id = $1 and created_at > now() - interval '24 hours')::int as recent`,
    [orgId],
  );
  return row ?? { live: 0, recent: 0 };
}

export async function insertProject(
  tx: Tx,
  project: { id: string; orgId: string; name: string; slug: string },
): Promise<void> {
  await tx.query('insert into control.project (id, org_id, name, slug) values ($1, $2, $3, $4)', [
    project.id,
    project.orgId,
    project.name,
    project.slug,
  ]);
}

const COLUMNS = {
  name: 'name',
  slug: 'slug',
  description: 'description',
  aiTrainingOptOut: 'ai_training_opt_out',
  anchoring: 'anchoring',
  publicChecks: 'public_checks',
  publicLog: 'public_log',
  publicDetector: 'public_detector',
  signingCertificate: 'signing_certificate',
  sealedSigningKey: 'sealed_signing_key',
  trustAnchors: 'trust_anchors',
  storageType: 'storage_type',
  ipfsProvider: 'ipfs_provider',
  ipfsGateway: 'ipfs_gateway',
  sealedIpfsKey: 'sealed_ipfs_key',
  storedBytes: 'max_stored_bytes',
  records: 'max_records',
  requestsPerMonth: 'max_requests_month',
  concurrentUploads: 'max_uploads',
} as const satisfies Record<keyof ProjectSettings, string>;

export async function updateProjectRow(tx: Tx, id: string, settings: ProjectSettings): Promise<void> {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  const assignments = given.map(
    ([name], index) => `${COLUMNS[name as keyof ProjectSettings]} = $${index + 2}`,
  );
  await tx.query(
    `${UNNAMED}update control.project set ${[...assignments, 'updated_at = now()'].join(', ')} where id = $1`,
    [id, ...given.map(([, value]) => value)],
  );
}

/** Marks a project as deleted; its records stay. */
export async function deleteProjectRow(tx: Tx, id: string): Promise<void> {
  await tx.query('update control.project set deleted_at = now() where id = $1', [id]);
}

function withTexts<Row extends ProjectLimits & { createdAt: Date; updatedAt: Date }>(row: Row) {
  const { createdAt, updatedAt, ...rest } = nestLimits(row);
  return { ...rest, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** Counts the projects that have at least one kind of usage without a limit. */
export async function countUnlimitedProjects(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from control.project where deleted_at is null
       and (max_stored_bytes is null or max_records is null or max_requests_month is null)`,
  );
  return row?.count ?? 0;
}
