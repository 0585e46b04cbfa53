import { untilAborted } from '../../platform/db/database.js';
import { readExact } from '../../search/descriptors.sql.js';
import type { SearchContext } from '../../search/search-pool.js';
import type { RecordDeps } from '../deps.js';
import type { StagedMedia } from '../draft/stage-media.js';
import { findMatches } from './find-matches.js';
import { listBoundAnywhere } from './image-marks.sql.js';
import { searchProjects } from './search-projects.js';
import { digestIssuedMark, parseBinding } from './soft-binding.js';
import { readBound, readLabelledCid } from './soft-bindings.sql.js';

/** `tenant`: the id of these background tasks in the fair queue, in place of a project. */
interface ProjectsQuery {
  projectIds: readonly string[];
  tenant: string;
  signal: AbortSignal;
}

/** `score`: one of `SCORES`. Show content only to callers who may see it. */
export interface FoundContent {
  projectId: string;
  cid: string;
  score: number;
}

/** The scores are from 0 to 100. Finer scores would help a sender to alter a copy until it no longer matches. */
const SCORES = { same: 100, auto: 80, review: 50 } as const;
/** Maximum number of contents of one project that a search by soft binding returns. */
const MAX_OF_PROJECT = 20;

/**
 * Searches the given projects. For a watermark that the service issued, searches all projects, but finds only contents
 * that the service marked with this watermark. Ignores imported manifests with this watermark, because they can claim
 * the watermark of somebody else.
 */
export async function findBoundContents(
  deps: RecordDeps,
  { binding: given, ...query }: ProjectsQuery & { binding: { alg: string; value: string } },
): Promise<FoundContent[]> {
  const binding = parseBinding(given);
  if (binding.kind === 'content') return findNamed(deps, query, [binding.cid]);
  if (binding.kind === 'described') {
    const { described } = binding;
    return inProjects(deps, query, async (projectId, place) => {
      const found = await findMatches({ db: deps.reads, matching: deps.matching }, projectId, {
        described,
        place,
      });
      return found.map(({ match: { cid }, judgement }) => ({ cid, score: SCORES[judgement] }));
    });
  }
  const issued = await findIssued(deps, given, query.signal);
  if (issued.length > 0) return issued;
  return inProjects(deps, query, async (projectId, { signal }) => {
    const bound = await readBound(untilAborted(deps.reads, signal), projectId, binding.digest);
    return bound.slice(0, MAX_OF_PROJECT).map(({ cid }) => ({ cid, score: SCORES.same }));
  });
}

export function findSameContents(
  deps: RecordDeps,
  { file: { digests }, ...query }: ProjectsQuery & { file: StagedMedia },
): Promise<FoundContent[]> {
  return findNamed(deps, query, [digests.cid, ...digests.aliases]);
}

/** Throws for a file that the service cannot describe. */
export async function findSimilarContents(
  deps: RecordDeps,
  query: ProjectsQuery & { file: StagedMedia },
): Promise<FoundContent[]> {
  const found = await searchProjects(deps, query);
  return found.map(({ projectId, cid, judgement }) => ({ projectId, cid, score: SCORES[judgement] }));
}

/** Finds the first recorded content of each project whose manifest has this label. */
export function findLabelledContents(
  deps: RecordDeps,
  { label, ...query }: ProjectsQuery & { label: string },
): Promise<FoundContent[]> {
  return inProjects(deps, query, async (projectId, { signal }) => {
    const cid = await readLabelledCid(untilAborted(deps.reads, signal), projectId, label);
    return cid === undefined ? [] : [{ cid, score: SCORES.same }];
  });
}

function findNamed(
  deps: RecordDeps,
  query: ProjectsQuery,
  names: readonly string[],
): Promise<FoundContent[]> {
  return inProjects(deps, query, async (projectId, { signal }) => {
    const content = await readExact(untilAborted(deps.reads, signal), projectId, names);
    return content === undefined ? [] : [{ cid: content.cid, score: SCORES.same }];
  });
}

/** `value`: base64 (standard or URL-safe), or the payload of a neural model as text. */
async function findIssued(
  { reads }: RecordDeps,
  { alg, value }: { alg: string; value: string },
  signal: AbortSignal,
): Promise<FoundContent[]> {
  const values = new Set([value, Buffer.from(value, 'base64').toString('base64')]);
  const found = [...values].map((one) =>
    listBoundAnywhere(untilAborted(reads, signal), digestIssuedMark({ alg, value: one })),
  );
  return (await Promise.all(found)).flat().map((content) => ({ ...content, score: SCORES.same }));
}

function inProjects(
  { scheduler }: RecordDeps,
  { projectIds, tenant, signal }: ProjectsQuery,
  search: (projectId: string, place: SearchContext) => Promise<Omit<FoundContent, 'projectId'>[]>,
): Promise<FoundContent[]> {
  const turn = { projectId: tenant, kind: 'search', isBackground: true, canRestart: true, signal } as const;
  return scheduler.run(turn, async (running, hold) => {
    const found: FoundContent[] = [];
    for (const projectId of projectIds) {
      running.throwIfAborted();
      const contents = await search(projectId, { signal: running, hold });
      found.push(...contents.map((content) => ({ projectId, ...content })));
    }
    return found;
  });
}
