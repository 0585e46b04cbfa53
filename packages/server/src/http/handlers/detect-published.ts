import {
  type CheckCode,
  type DetectionCheck,
  type DetectionLayer,
  disclosureOfLevel,
  explainConfidence,
  levelOfFacts,
  type PublicationSummary,
  type PublishedMatchKind,
  readMatch,
  sayPublished,
  sortLayers,
  toFindingCode,
  workMakersOf,
} from '@colophon/model';
import { ServiceError } from '../../errors.js';
import type { DetectorFinding } from '../../management/detection-meter.js';
import {
  type ContentOfProject,
  listLivePublications,
  listPublicationsOfCids,
  listPublishingProjects,
  type ShownPublication,
} from '../../management/live-publications.sql.js';
import { readLivePublication } from '../../management/publications.sql.js';
import type { Queryable } from '../../platform/db/database.js';
import type { PublishedLineage } from '../../records/conversion/describe-history.js';
import type { LayerFinding, NamedByManifest } from '../../records/credentials/detect-manifest.js';
import type { StagedMedia } from '../../records/draft/stage-media.js';
import { findMarked } from '../../records/matching/find-marked.js';
import { FileRejection } from '../../records/matching/search-file.js';
import { searchProjects } from '../../records/matching/search-projects.js';
import type { AppDeps } from '../app.js';
import { MAX_DETECTED_PROJECTS } from './detector.js';
import { relateManifest } from './relate-manifest.js';

type PublishedDeps = Pick<AppDeps, 'records' | 'management' | 'publishing'>;

/** Maximum number of publications that one check reports, each of a different project. */
const MAX_PER_LAYER = 5;

/** The result of one check, with the project of each publication. */
export interface PublishedFinding extends LayerFinding {
  findings: DetectorFinding[];
}

/** `agreeing`: for the match `agreed`, the kind of the layer that leads to the same publication. */
interface PublishedMatch {
  row: ShownPublication;
  match: PublishedMatchKind;
  agreeing?: DetectionLayer['kind'] | undefined;
}

/** `tenant`: the id of the detector in the fair queue. */
interface PublishedQuery {
  file: StagedMedia;
  tenant: string;
  signal: AbortSignal;
}

const EMPTY: DetectionCheck = {
  kind: 'log',
  state: 'unavailable',
  reason: 'The file is empty, so its bytes identify no content.',
  code: 'tooLittle',
};

/** Finds live publications of content with exactly the bytes of the file. */
export async function detectInLog(deps: PublishedDeps, query: PublishedQuery): Promise<PublishedFinding> {
  const { cid, aliases, sizeBytes } = query.file.digests;
  if (sizeBytes === 0) return { check: EMPTY, layers: [], findings: [] };
  const { control } = deps.management.deps;
  const rows = await listPublicationsOfCids(control, [cid, ...aliases]);
  const matches = rows.map((row): PublishedMatch => ({ row, match: 'same' }));
  return { check: { kind: 'log', state: 'checked' }, ...(await describe(deps, matches, query)) };
}

/**
 * Finds live publications of content that is similar to the file. The match is `exact` for the same bytes, and `source`
 * if the publication names these bytes as a source of the content.
 */
export async function detectByFingerprint(
  deps: PublishedDeps,
  query: PublishedQuery,
): Promise<PublishedFinding> {
  const { control } = deps.management.deps;
  const listed = await listPublishingProjects(control, MAX_DETECTED_PROJECTS + 1);
  const projectIds = listed.slice(0, MAX_DETECTED_PROJECTS);
  const reason = `The search covered only ${MAX_DETECTED_PROJECTS} of the projects with publications.`;
  const isPartial = listed.length > MAX_DETECTED_PROJECTS;
  const limits = isPartial ? { reason, code: 'someProjects' satisfies CheckCode } : {};
  try {
    const found = await searchProjects(deps.records, { ...query, projectIds });
    const rows = await listPublished(control, found);
    const own = namesOf(query.file);
    const matches = found.flatMap(({ projectId, cid, judgement }) =>
      rows
        .filter((row) => row.projectId === projectId && row.cid === cid)
        .map((row): PublishedMatch => ({ row, match: own.includes(cid) ? 'exact' : RELATIONS[judgement] })),
    );
    const described = await describe(deps, matches, query);
    return { check: { kind: 'fingerprint', state: 'checked', ...limits }, ...described };
  } catch (error) {
    return toUnavailable('fingerprint', error);
  }
}

/** `others`: the layers of the other checks. `names`: the content that the manifest of the file names. */
interface WatermarkQuery extends PublishedQuery {
  others: readonly DetectionLayer[];
  names: NamedByManifest | undefined;
}

/**
 * Finds live publications of content that the watermark identifies. A watermark alone gives the lowest confidence,
 * because it can be copied to another file.
 */
export async function detectByWatermark(
  deps: PublishedDeps,
  { others, names, ...query }: WatermarkQuery,
): Promise<PublishedFinding> {
  const { control } = deps.management.deps;
  // A file that is only the source of a published content cannot confirm the watermark of this content.
  const certain = sortLayers(others).filter(
    (one) => one.confidence !== 'low' && readMatch(one.code) !== 'source',
  );
  try {
    const found = await findMarked(deps.records, query);
    const matches: PublishedMatch[] = [];
    for (const row of await listPublished(control, found)) {
      const marked = found.find(({ projectId, cid }) => projectId === row.projectId && cid === row.cid);
      if (marked === undefined) continue;
      const other = certain.find(({ publication }) => publication?.id === row.id);
      const match = other === undefined ? await relateManifest(deps.records, marked, names) : 'agreed';
      matches.push({ row, match, agreeing: other?.kind ?? 'manifest' });
    }
    return { check: { kind: 'watermark', state: 'checked' }, ...(await describe(deps, matches, query)) };
  } catch (error) {
    return toUnavailable('watermark', error);
  }
}

async function listPublished(
  control: Queryable,
  contents: readonly ContentOfProject[],
): Promise<ShownPublication[]> {
  return contents.length === 0 ? [] : listLivePublications(control, contents);
}

/** Returns an `unavailable` check if the service rejected the file. Throws any other error. */
function toUnavailable(kind: 'fingerprint' | 'watermark', error: unknown): PublishedFinding {
  if (!isRejectedFile(error)) throw error;
  const code: CheckCode = error instanceof FileRejection ? error.checkCode : 'unreadable';
  const check: DetectionCheck = { kind, state: 'unavailable', reason: error.message, code };
  return { check, layers: [], findings: [] };
}

function isRejectedFile(error: unknown): error is ServiceError {
  return (
    error instanceof ServiceError &&
    ['Unsupported', 'PayloadTooLarge', 'ValidationError'].includes(error.code)
  );
}

const CONFIDENCES = ['high', 'medium', 'low'];

/**
 * Returns the most certain match of each project, most certain first. Among equally certain matches the owners take
 * turns, so that an account with many projects does not displace others.
 */
function takeTurns(matches: readonly PublishedMatch[]): PublishedMatch[] {
  const rankOf = ({ match }: PublishedMatch) => CONFIDENCES.indexOf(FOUND_BY[match].confidence);
  const counts = new Map<string, number>();
  const turns = new Map<string, { one: PublishedMatch; rank: number; turn: number }>();
  for (const one of matches.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const { projectId, owner } = one.row;
    if (turns.has(projectId)) continue;
    const rank = rankOf(one);
    const group = `${rank} ${owner}`;
    const turn = counts.get(group) ?? 0;
    counts.set(group, turn + 1);
    turns.set(projectId, { one, rank, turn });
  }
  const sorted = [...turns.values()].toSorted((a, b) => a.rank - b.rank || a.turn - b.turn);
  return sorted.map(({ one }) => one);
}

/** Describes one publication of each project, up to `MAX_PER_LAYER`. The summaries have no withheld data. */
async function describe(
  { management, publishing }: PublishedDeps,
  matches: readonly PublishedMatch[],
  { file, tenant, signal }: PublishedQuery,
): Promise<Pick<PublishedFinding, 'layers' | 'findings'>> {
  const layers: DetectionLayer[] = [];
  const findings: DetectorFinding[] = [];
  const own = namesOf(file);
  for (const { row, match: found, agreeing } of takeTurns(matches).slice(0, MAX_PER_LAYER)) {
    // Reads complete rows only here, because the list of hidden entities in one row can have almost 1 MB.
    const publication = await readLivePublication(management.deps.control, row.id);
    if (publication === undefined) continue;
    const turn = { projectId: tenant, isBackground: true, signal };
    const isSimilar = found === 'similar' || found === 'review';
    const answer = isSimilar
      ? await publishing.readLineage(publication, turn)
      : await publishing.readSummary(publication, turn);
    if (answer === undefined) continue;
    const summary: PublicationSummary & Partial<PublishedLineage> = JSON.parse(
      Buffer.concat(answer.body).toString(),
    );
    const isSource = summary.sourceCids?.some((cid) => own.includes(cid)) === true;
    const match = isSource ? 'source' : found;
    const layer = toLayer(summary, match, agreeing);
    layers.push(layer);
    findings.push({ projectId: row.projectId, layer: layer.kind, confidence: layer.confidence });
  }
  return { layers, findings };
}

function namesOf({ digests: { cid, aliases } }: StagedMedia): string[] {
  return [cid, ...aliases];
}

const RELATIONS = { auto: 'similar', review: 'review' } as const;

const FOUND_BY: Readonly<Record<PublishedMatchKind, Pick<DetectionLayer, 'kind' | 'confidence'>>> = {
  same: { kind: 'log', confidence: 'high' },
  exact: { kind: 'fingerprint', confidence: 'medium' },
  source: { kind: 'fingerprint', confidence: 'medium' },
  similar: { kind: 'fingerprint', confidence: 'medium' },
  auto: { kind: 'fingerprint', confidence: 'medium' },
  review: { kind: 'fingerprint', confidence: 'low' },
  agreed: { kind: 'watermark', confidence: 'medium' },
  contradicted: { kind: 'watermark', confidence: 'low' },
  points: { kind: 'watermark', confidence: 'low' },
};

function toLayer(
  { id, path, title, provable, facts }: PublicationSummary,
  match: PublishedMatchKind,
  agreeing: PublishedMatch['agreeing'],
): DetectionLayer {
  const level = levelOfFacts(facts.ai);
  const disclosure = disclosureOfLevel(level);
  const [tool] = facts.tools;
  const { recordedAt } = facts;
  const ofWork = workMakersOf(facts);
  // If the marking action is the only record of a file, its performer counts as the maker.
  const { makers, furtherMakers } = ofWork.makers.length > 0 ? ofWork : facts;
  const found = FOUND_BY[match];
  const code = toFindingCode({ match, ai: facts.ai });
  return {
    ...found,
    meaning: explainConfidence({ ...found, code }),
    level,
    ...(disclosure === undefined ? {} : { disclosure }),
    says: sayPublished(match, facts.ai, agreeing),
    code,
    ...(tool === undefined ? {} : { tool }),
    makers,
    ...(furtherMakers === undefined ? {} : { furtherMakers }),
    ...(recordedAt === undefined ? {} : { recordedAt }),
    publication: { id, path, title, provable },
  };
}
