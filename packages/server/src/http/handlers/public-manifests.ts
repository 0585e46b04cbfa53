import { ServiceError } from '../../errors.js';
import { listOpenContents, listPublishingProjects } from '../../management/live-publications.sql.js';
import { untilAborted } from '../../platform/db/database.js';
import type { StagedMedia } from '../../records/draft/stage-media.js';
import {
  type FoundContent,
  findBoundContents,
  findLabelledContents,
  findSameContents,
  findSimilarContents,
} from '../../records/matching/find-anywhere.js';
import {
  type ManifestMatch,
  noManifest,
  requireManifest,
  type StoredManifest,
} from '../../records/matching/find-manifests.js';
import { readLabel } from '../../records/matching/soft-bindings.sql.js';
import type { AppDeps } from '../app.js';
import { DETECTOR_TENANT, MAX_DETECTED_PROJECTS } from './detector.js';

type PublicDeps = Pick<AppDeps, 'records' | 'management'>;

/** Maximum number of published contents in one search. */
const MAX_CONTENTS = 200;

interface PublicQuery {
  maxResults: number;
  signal: AbortSignal;
}

/** Throws `InvalidField` for a value that is invalid for its algorithm. */
export async function findPublicManifestsOfBinding(
  deps: PublicDeps,
  { binding, ...query }: PublicQuery & { binding: { alg: string; value: string } },
): Promise<ManifestMatch[]> {
  const found = await findBoundContents(deps.records, { binding, ...(await inProjects(deps, query)) });
  return toManifests(deps, found, query);
}

/**
 * First finds the manifests of contents with the same bytes. If there are none, finds the manifests of similar
 * contents, and throws if the type or the size of the file does not permit a fingerprint.
 */
export async function findPublicManifestsOfFile(
  deps: PublicDeps,
  { file, ...query }: PublicQuery & { file: StagedMedia },
): Promise<ManifestMatch[]> {
  const asked = { file, ...(await inProjects(deps, query)) };
  const same = await toManifests(deps, await findSameContents(deps.records, asked), query);
  if (same.length > 0) return same;
  return toManifests(deps, await findSimilarContents(deps.records, asked), query);
}

interface PublicManifestQuery {
  label: string;
  activeOnly: boolean;
  maxBytes: number;
  signal: AbortSignal;
}

/** Throws the same `NotFound` for an absent manifest and for one that is not public. */
export async function requirePublicManifest(
  deps: PublicDeps & Pick<AppDeps, 'credentials'>,
  { label, ...query }: PublicManifestQuery,
): Promise<StoredManifest> {
  const asked = { label, ...(await inProjects(deps, query)) };
  const [first] = await onlyOpen(deps, await findLabelledContents(deps.records, asked));
  if (first === undefined) throw noManifest(label);
  const turn = { projectId: DETECTOR_TENANT, isBackground: true };
  try {
    const found = { ...deps.records, engine: deps.credentials.engine };
    return await requireManifest(found, first.projectId, { ...query, label, turn });
  } catch (error) {
    // The message of this error could name the content.
    if (error instanceof ServiceError && error.code === 'NotFound') throw noManifest(label);
    throw error;
  }
}

async function inProjects({ management }: PublicDeps, { signal }: Pick<PublicQuery, 'signal'>) {
  const projectIds = await listPublishingProjects(management.deps.control, MAX_DETECTED_PROJECTS);
  return { projectIds, tenant: DETECTOR_TENANT, signal };
}

/**
 * Returns the contents with a live publication that shows titles and withholds nothing. The order takes turns between
 * owners: first the content of each owner's earliest publication, then the content of each owner's second one, and so
 * on.
 */
async function onlyOpen({ management }: PublicDeps, found: readonly FoundContent[]): Promise<FoundContent[]> {
  if (found.length === 0) return [];
  const open = await listOpenContents(management.deps.control, found, MAX_CONTENTS);
  return open.flatMap(({ projectId, cid }) => {
    const content = found.find((one) => one.projectId === projectId && one.cid === cid);
    return content === undefined ? [] : [content];
  });
}

/** Returns the manifest with the highest score first. */
async function toManifests(
  deps: PublicDeps,
  found: readonly FoundContent[],
  { maxResults, signal }: PublicQuery,
): Promise<ManifestMatch[]> {
  const open = await onlyOpen(deps, found);
  const reads = untilAborted(deps.records.reads, signal);
  const scores = new Map<string, number>();
  for (const { projectId, cid, score } of open.toSorted((a, b) => b.score - a.score)) {
    if (scores.size >= maxResults) break;
    const label = await readLabel(reads, projectId, cid);
    if (label !== undefined && !scores.has(label)) scores.set(label, score);
  }
  return [...scores].map(([manifestId, similarityScore]) => ({ manifestId, similarityScore }));
}
