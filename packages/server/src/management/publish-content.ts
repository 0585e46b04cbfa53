import { randomBytes } from 'node:crypto';
import { type Publication, type PublicationInput, publicationPath, RESTORE_MS } from '@colophon/model';
import { ServiceError } from '../errors.js';
import { type Tx, untilAborted } from '../platform/db/database.js';
import { assertBelowLimit } from './assert-below-limit.js';
import { type ChangeOptions, change, turnOfProject } from './change.js';
import type { ManagementDeps } from './deps.js';
import {
  countLivePublications,
  insertPublication,
  listPublicationRows,
  lockPublishing,
  type OwnPublicationRow,
  type PublicationQuery,
  type PublicationRow,
  readLivePublication,
  readOwnPublication,
  restorePublicationRow,
  revokePublicationRow,
} from './publications.sql.js';
import { noProject } from './require-member.js';
import { unusable } from './stored-settings.js';

const ID_BYTES = 18;
const PSEUDONYM_KEY_BYTES = 32;

/** Returns 143 random bits. The first character is never `-`, so a command does not parse the id as an option. */
export function newPublicationId(): string {
  const bytes = randomBytes(ID_BYTES);
  bytes[0] = (bytes[0] ?? 0) & 0x7f;
  return bytes.toString('base64url');
}

/** The caller must have checked that the content exists. */
export function publishContent(
  options: ChangeOptions,
  projectId: string,
  input: PublicationInput,
): Promise<Publication> {
  const { cid, title = null, hiddenEntities, titles = false, picture = false, license = false } = input;
  const expiresAt = input.expiresAt === undefined ? null : new Date(input.expiresAt);
  if (expiresAt !== null && expiresAt <= new Date()) throw unusable('expiresAt', 'is not in the future');
  const id = newPublicationId();
  const pseudonymKey = randomBytes(PSEUDONYM_KEY_BYTES);
  const withhold = withDetails(input);
  return change({ ...options, turnOf: { project: projectId } }, async (tx) => {
    await assertMayPublishMore(tx, options, projectId);
    const shown = { withhold, hiddenEntities, titles, picture, license };
    const row = { id, projectId, cid, title, ...shown, pseudonymKey, expiresAt };
    const stored = await insertPublication(tx, row);
    if (stored === undefined) throw noProject(projectId);
    const answer = toPublication(stored.made);
    const also = { ...(titles && { titles }), ...(picture && { picture }), ...(license && { license }) };
    const details = { cid, withhold, expiresAt: answer.expiresAt, ...also };
    return { answer, action: 'publication.create', target: id, orgId: stored.orgId, projectId, details };
  });
}

async function assertMayPublishMore(tx: Tx, { deps }: ChangeOptions, projectId: string): Promise<void> {
  await lockPublishing(tx, projectId);
  const { limits } = deps;
  assertBelowLimit(limits, 'MAX_PROJECT_PUBLICATIONS', {
    count: await countLivePublications(tx, projectId, limits.MAX_PROJECT_PUBLICATIONS),
    subject: 'This project has live publications',
    remedy: 'Revoke a publication with DELETE /v1/publications/{id}',
  });
}

/** Adds `details` if any data is withheld or hidden, because the extensions may repeat this data. */
function withDetails({ withhold, hiddenEntities }: PublicationInput): PublicationRow['withhold'] {
  return withhold.length === 0 && hiddenEntities.length === 0
    ? []
    : [...new Set([...withhold, 'details' as const])];
}

/** Idempotent. Throws `NotFound` for an unknown publication. */
export function revokePublication(
  options: ChangeOptions,
  projectId: string,
  id: string,
): Promise<Publication> {
  return change({ ...options, turnOf: { project: projectId } }, async (tx) => {
    const row = await readOwnPublication(tx, projectId, id);
    if (row === undefined) throw noPublication(id);
    if (row.revokedAt !== null) return { answer: toPublication(row), action: undefined };
    const answer = toPublication({ ...row, revokedAt: await revokePublicationRow(tx, projectId, id) });
    return { answer, action: 'publication.revoke', target: id, orgId: row.orgId, projectId };
  });
}

/** Idempotent. Throws `Conflict` if the publication was revoked more than a minute ago. */
export function restorePublication(
  options: ChangeOptions,
  projectId: string,
  id: string,
): Promise<Publication> {
  return change({ ...options, turnOf: { project: projectId } }, async (tx) => {
    const row = await readOwnPublication(tx, projectId, id);
    if (row === undefined) throw noPublication(id);
    if (row.revokedAt === null) return { answer: toPublication(row), action: undefined };
    await assertMayPublishMore(tx, options, projectId);
    if (!(await restorePublicationRow(tx, { projectId, id }, RESTORE_MS))) throw tooLate(row);
    const answer = toPublication({ ...row, revokedAt: null });
    return { answer, action: 'publication.restore', target: id, orgId: row.orgId, projectId };
  });
}

function tooLate({ id, revokedAt }: PublicationRow): ServiceError {
  return new ServiceError(
    'Conflict',
    `The publication ${id} was revoked at ${revokedAt?.toISOString()}, more than ${RESTORE_MS / 1000} s ago.`,
    { recovery: 'Publish the content again with POST /v1/publications. The new publication has a new link.' },
  );
}

/** Newest first, including revoked and expired ones. A page with many hidden entities may be shorter. */
export async function listPublications(
  { control, limitLists }: Pick<ManagementDeps, 'control' | 'limitLists'>,
  projectId: string,
  { signal, ...query }: PublicationQuery & { signal: AbortSignal },
): Promise<{ publications: Publication[]; count: number; nextCursor: string | null }> {
  const page = { ...query, limit: query.limit + 1 };
  const db = untilAborted(control, signal);
  const turn = { ...(await turnOfProject(db, projectId)), caller: projectId };
  const found = await limitLists(turn, () => listPublicationRows(db, projectId, page), signal);
  const rows = found.slice(0, query.limit);
  const last = rows.at(-1);
  const nextCursor = last !== undefined && last.found > rows.length ? last.id : null;
  return { publications: rows.map(toPublication), count: rows.length, nextCursor };
}

/** The error does not say whether the publication is absent, expired or revoked. */
export async function requirePublication({ control }: ManagementDeps, id: string): Promise<PublicationRow> {
  const row = await readLivePublication(control, id);
  if (row === undefined) throw noPublication(id);
  return row;
}

export function noPublication(id: string): ServiceError {
  return new ServiceError('NotFound', `Nothing is published under ${id}.`, {
    recovery: 'The publication may have been revoked, or have expired. Ask the sender of the link.',
  });
}

function toPublication(row: OwnPublicationRow): Publication {
  const {
    id,
    cid,
    title,
    withhold,
    hiddenEntities,
    titles,
    picture,
    license,
    views,
    createdAt,
    expiresAt,
    revokedAt,
  } = row;
  return {
    ...{ id, cid, title, withhold, hiddenEntities, titles, picture, license, views },
    path: publicationPath(id),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}
