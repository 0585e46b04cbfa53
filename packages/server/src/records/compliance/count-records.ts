import { type ComplianceReport, levelOfDisclosure, MARK_LAYERS, type ReportedLayer } from '@colophon/model';
import { pacedFor } from '../../platform/db/paced.js';
import type { RecordDeps } from '../deps.js';
import type { Position } from '../read/cursor.js';
import { addTitlesWithCopies } from './add-titles.js';
import { toLayers, toUnmarkedContents } from './describe-mark.js';
import { listFingerprintRules } from './fingerprint-rules.js';
import {
  type CountedPage,
  countMarks,
  countUnmarkedActions,
  countUnmarkedManifests,
  MAX_UNMARKED,
  type MarkFacts,
  type MarkGroup,
  type Period,
  readSizeBefore,
  SMALLEST_CID,
  SMALLEST_UUID,
  toEnd,
  type UnmarkedPage,
  type UnmarkedRow,
} from './marks.sql.js';

export type ComplianceDeps = Pick<RecordDeps, 'reads' | 'scheduler' | 'hasOtherRequests'> & {
  matching: Pick<RecordDeps['matching'], 'kinds'>;
};

/** `isSigned`: whether the service signs the logs. `bounds`: for marks, unmarked actions and manifests each. */
export interface RecordsOfPeriod {
  period: Period;
  isSigned: boolean;
  signal: AbortSignal;
  bounds?: { pageRows: number; maxRows: number; maxPages?: number };
}

type Counted = Pick<ComplianceReport, 'unmarked'> & {
  marks: Omit<ComplianceReport['marks'], 'newest'>;
  sizes: { atStart: number; atEnd: number };
};

/** A page ends early when its records are large, so `maxPages` also limits the statements. */
const BOUNDS = { pageRows: 1_000, maxRows: 200_000, maxPages: 500 };
/** The pages are smaller, because a statement also reads up to 20 uses of each content. */
const UNMARKED_BOUNDS = { pageRows: 200, maxPages: 1_000 };

/** Counts a project's marks in a period, and its AI content without a mark. Waits in the fair queue. */
export function countRecords(
  { reads, scheduler, matching, hasOtherRequests }: ComplianceDeps,
  projectId: string,
  { period, isSigned, signal, bounds = BOUNDS }: RecordsOfPeriod,
): Promise<Counted> {
  const rules = listFingerprintRules(matching.kinds);
  return scheduler.run({ projectId, kind: 'history', signal }, async (running) => {
    const db = pacedFor({ db: reads, hasOtherRequests }, projectId, running);
    const walk = createReadPages(period, bounds);
    const pageRows = Math.min(bounds.pageRows, UNMARKED_BOUNDS.pageRows);
    const walkUnmarked = createReadPages(period, { ...UNMARKED_BOUNDS, maxRows: bounds.maxRows, pageRows });
    const sums = createSums();
    const all = await walk(SMALLEST_UUID, async (turn) => {
      const page = await countMarks(db, projectId, { ...turn, rules });
      sums.add(page.groups);
      return page;
    });
    const actions = await countUnmarked(walkUnmarked, SMALLEST_UUID, (turn) =>
      countUnmarkedActions(db, projectId, turn),
    );
    const manifests = await countUnmarked(walkUnmarked, SMALLEST_CID, (turn) =>
      countUnmarkedManifests(db, projectId, turn),
    );
    const newest = toUnmarkedContents([...actions.newest, ...manifests.newest]);
    return {
      marks: { ...sumUp(sums, isSigned), complete: all && actions.isComplete && manifests.isComplete },
      unmarked: {
        aiActions: actions.count,
        aiManifests: manifests.count,
        aiActionsWithCopy: actions.withCopy,
        aiManifestsWithCopy: manifests.withCopy,
        newest: await addTitlesWithCopies(db, projectId, newest),
      },
      sizes: {
        atStart: await readSizeBefore(db, projectId, period.from),
        atEnd: await readSizeBefore(db, projectId, period.to),
      },
    };
  });
}

interface PageRequest {
  from: string;
  after: Position;
  limit: number;
}
type ReadPage<Page extends CountedPage> = (turn: PageRequest) => Promise<Page>;
type ReadPages = (smallestId: string, read: ReadPage<CountedPage>) => Promise<boolean>;

/** Reads pages back from the end of the period. Resolves to false when a limit stops it before the start. */
function createReadPages(
  period: Period,
  { pageRows, maxRows, maxPages = BOUNDS.maxPages }: NonNullable<RecordsOfPeriod['bounds']>,
): ReadPages {
  return async (smallestId, read) => {
    let after = toEnd(period, smallestId);
    let rows = 0;
    for (let pages = 0; pages < maxPages && rows < maxRows; pages++) {
      const page = await read({ from: period.from, after, limit: pageRows });
      if (page.isEnd || page.last === null) return true;
      rows += page.read;
      after = page.last;
    }
    return false;
  };
}

async function countUnmarked(
  walk: ReadPages,
  smallestId: string,
  read: ReadPage<UnmarkedPage>,
): Promise<{ count: number; withCopy: number; newest: UnmarkedRow[]; isComplete: boolean }> {
  let [count, withCopy] = [0, 0];
  const newest: UnmarkedRow[] = [];
  const isComplete = await walk(smallestId, async (turn) => {
    const page = await read(turn);
    count += page.unmarked;
    withCopy += page.withCopy;
    newest.push(...page.newest.slice(0, MAX_UNMARKED - newest.length));
    return page;
  });
  return { count, withCopy, newest, isComplete };
}

/** Maximum number of types in a report. Contents of any other type count as `other`. */
const MAX_TYPES = 1_000;
const OTHER_TYPE = 'other';

interface MarkSums {
  byType: Map<string, number>;
  /** The facts without the type have few values, so the map stays small. */
  byFacts: Map<string, Facts & { count: number }>;
  add(groups: readonly MarkGroup[]): void;
}
type Facts = Omit<MarkFacts, 'type'>;

function createSums(): MarkSums {
  const byType: MarkSums['byType'] = new Map();
  const byFacts: MarkSums['byFacts'] = new Map();
  return {
    byType,
    byFacts,
    add(groups) {
      for (const { type, count, ...facts } of groups) {
        const named = byType.has(type) || byType.size < MAX_TYPES - 1 ? type : OTHER_TYPE;
        byType.set(named, (byType.get(named) ?? 0) + count);
        const key = JSON.stringify(facts);
        byFacts.set(key, { ...facts, count: count + (byFacts.get(key)?.count ?? 0) });
      }
    },
  };
}

function sumUp({ byType, byFacts }: MarkSums, isSigned: boolean): Omit<Counted['marks'], 'complete'> {
  const groups = [...byFacts.values()];
  const layers = groups.flatMap((group) =>
    toLayers(group, isSigned).map((layer) => ({ layer, count: group.count })),
  );
  return {
    total: groups.reduce((sum, { count }) => sum + count, 0),
    byType: addUp(
      [...byType].map(([type, count]) => ({ type, count })),
      ({ type }) => ({ type }),
    ),
    byDisclosure: addUp(groups, ({ aiDisclosure }) => ({
      aiDisclosure,
      level: levelOfDisclosure(aiDisclosure),
    })),
    byLayer: MARK_LAYERS.flatMap((kind) =>
      addUp(
        layers.filter(({ layer }) => layer.kind === kind),
        ({ layer: { state, method } }): ReportedLayer => ({ kind, state, method }),
      ),
    ),
  };
}

function addUp<Item extends { count: number }, Name extends object>(
  items: readonly Item[],
  nameOf: (item: Item) => Name,
): (Name & { count: number })[] {
  const sums = new Map<string, Name & { count: number }>();
  for (const item of items) {
    const name = nameOf(item);
    const key = JSON.stringify(Object.values(name));
    const sum = sums.get(key)?.count ?? 0;
    sums.set(key, { ...name, count: sum + item.count });
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}
