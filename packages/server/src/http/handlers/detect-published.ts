import {
  type DetectionLayer,
  disclosureOfLevel,
  levelOfFacts,
  type PublicationSummary,
  sayPublished,
} from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { listLivePublications, listPublishingProjects } from '../../management/live-publications.sql.js';
import type { PublicationRow } from '../../management/publications.sql.js';
import type { LayerFinding } from '../../records/credentials/detect-manifest.js';
import type { StagedMedia } from '../../records/draft/stage-media.js';
import { searchProjects } from '../../records/matching/search-projects.js';
import type { AppDeps } from '../app.js';

type PublishedDeps = Pick<AppDeps, 'records' | 'management' | 'publishing'>;

/** Maximum number of projects in one search. The detector searches the oldest projects with publications. */
const MAX_PROJECTS = 100;
/** Maximum number of publications in an answer, by layer. */
const MAX_LAYERS = 5;
/** A search finds a few contents in each project, and each can have several publications. */
const MAX_PUBLICATIONS = 1_000;

/** `match`: `same` bytes, certainly an altered copy (`auto`), or probably one (`review`). */
interface PublishedMatch {
  row: PublicationRow;
  match: 'same' | 'auto' | 'review';
}

/** Finds live publications of exactly these bytes. */
export async function detectInLog(deps: PublishedDeps, file: StagedMedia): Promise<LayerFinding> {
  const { cid, aliases } = file.digests;
  const { control } = deps.management.deps;
  const rows = await listLivePublications(control, { cids: [cid, ...aliases], limit: MAX_LAYERS });
  const layers = await describe(
    deps,
    rows.map((row) => ({ row, match: 'same' })),
  );
  return { check: { kind: 'log', state: 'checked' }, layers };
}

/** Finds live publications of content that the file was made from. */
export async function detectByFingerprint(
  deps: PublishedDeps,
  { file, tenant, signal }: { file: StagedMedia; tenant: string; signal: AbortSignal },
): Promise<LayerFinding> {
  const { control } = deps.management.deps;
  const projectIds = await listPublishingProjects(control, MAX_PROJECTS);
  try {
    const found = await searchProjects(deps.records, { file, projectIds, tenant, signal });
    const cids = [...new Set(found.map(({ cid }) => cid))];
    const rows =
      cids.length === 0 ? [] : await listLivePublications(control, { cids, limit: MAX_PUBLICATIONS });
    const matches = found.flatMap(({ projectId, cid, judgement: match }) =>
      rows
        .filter((row) => row.projectId === projectId && row.cid === cid)
        .slice(0, 1)
        .map((row): PublishedMatch => ({ row, match })),
    );
    const certainFirst = matches.toSorted(
      (a, b) => Number(a.match === 'review') - Number(b.match === 'review'),
    );
    const layers = await describe(deps, certainFirst.slice(0, MAX_LAYERS));
    return { check: { kind: 'fingerprint', state: 'checked' }, layers };
  } catch (error) {
    if (!isIndescribable(error)) throw error;
    return { check: { kind: 'fingerprint', state: 'unavailable', reason: error.message }, layers: [] };
  }
}

/** Whether the search rejected the type or the size of the file. */
function isIndescribable(error: unknown): error is ServiceError {
  return (
    error instanceof ServiceError &&
    ['Unsupported', 'PayloadTooLarge', 'ValidationError'].includes(error.code)
  );
}

/** Describes publications by their summaries, which have no withheld data. */
async function describe(
  { publishing }: PublishedDeps,
  matches: readonly PublishedMatch[],
): Promise<DetectionLayer[]> {
  const layers: DetectionLayer[] = [];
  for (const { row, match } of matches) {
    const answer = await publishing.readSummary(row);
    if (answer === undefined) continue;
    layers.push(toLayer(JSON.parse(Buffer.concat(answer.body).toString()) as PublicationSummary, match));
  }
  return layers;
}

function toLayer(
  { id, path, title, provable, facts }: PublicationSummary,
  match: PublishedMatch['match'],
): DetectionLayer {
  const level = levelOfFacts(facts.ai);
  const disclosure = disclosureOfLevel(level);
  const [tool] = facts.tools;
  return {
    kind: match === 'same' ? 'log' : 'fingerprint',
    confidence: { same: 'high', auto: 'medium', review: 'low' }[match] as DetectionLayer['confidence'],
    level,
    ...(disclosure === undefined ? {} : { disclosure }),
    says: sayPublished(match, level),
    ...(tool === undefined ? {} : { tool }),
    publication: { id, path, title, provable },
  };
}
