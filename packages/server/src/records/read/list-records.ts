import type { Entity } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { type Queryable, untilAborted } from '../../platform/db/database.js';
import { pacedFor } from '../../platform/db/paced.js';
import { mapYielding } from '../../platform/work/map-yielding.js';
import type { RecordDeps } from '../deps.js';
import type { Answer } from './answer-cache.js';
import { MAX_PAGE_BYTES } from './answer-size.js';
import type { Reading } from './answers.js';
import { type ContentMakers, MAX_MADE_CONTENTS, readMakers } from './content-makers.sql.js';
import { type Position, parseCursor, toCursor } from './cursor.js';
import type { ListName } from './list-sources.sql.js';
import {
  chooseDriver,
  countStepRows,
  type ListFilters,
  type ListRow,
  type ListStepResult,
  readListStep,
} from './lists.sql.js';

export interface Page {
  filters: ListFilters;
  limit: number;
  cursor?: string | undefined;
  offset?: number | undefined;
}

export interface ListRequest {
  name: ListName;
  page: Page;
  /** Aborts when the caller disconnects. */
  signal: AbortSignal;
}

export type ListDeps = Pick<
  RecordDeps,
  'reads' | 'scheduler' | 'hasOtherRequests' | 'maxListRows' | 'limitLists'
>;

/** Approximate limit of the JSON that a list reads outside the fair queue. PostgreSQL writes 1 MiB in about 30 ms. */
const AT_ONCE_BYTES = 128 * 1024;

/**
 * Reads a page of a list, newest first, as JSON text: `{<list>: [...], count, nextCursor}`. On the last page, the
 * cursor is null. New records do not change the pages after a cursor. A page ends before its limit when its records are
 * large. It also ends after `maxListRows` rows, including rows that the filters exclude or `offset` skips, so it may be
 * empty. The cursor of a page that ends early leads to the next page.
 *
 * The first step reads at most `STEP_ROWS` rows and `AT_ONCE_BYTES` of JSON, outside the fair queue. While other
 * projects have requests, only a few lists of a project run their first step at the same time. All further steps run in
 * the fair queue. For a page of at most 50 contents, another statement then reads the makers of the contents. It runs
 * outside the fair queue. The limit of concurrent first steps of a project applies to it too. With the filter `maker`,
 * a page has at most 50 contents, and leaves out those that the requested entity did not make.
 */
export async function listRecords(
  deps: ListDeps,
  projectId: string,
  request: ListRequest,
): Promise<Reading & { text: string }> {
  const { signal } = request;
  assertPageOfMaker(request.page);
  const start = () =>
    startReading(untilAborted(deps.reads, signal), projectId, { ...request, firstBytes: AT_ONCE_BYTES });
  const isLimited = deps.hasOtherRequests?.(projectId) ?? false;
  const reading = isLimited ? await deps.limitLists(projectId, start, signal) : await start();
  if (!reading.isDone())
    await deps.scheduler.run({ projectId, kind: 'history', signal }, async (running) => {
      await finish(reading, pacedFor({ ...deps, db: deps.reads }, projectId, running), deps.maxListRows);
    });
  if (!showsMakers(request)) return reading.toPage();
  const cids = reading.shown().map(({ id }) => id);
  const read = () => readMakers(untilAborted(deps.reads, signal), projectId, cids);
  return reading.toPage(isLimited ? await deps.limitLists(projectId, read, signal) : await read());
}

/** Rejects an offset with the filter `maker`, because only pages show which contents the entity made. */
function assertPageOfMaker({ filters, offset }: Page): void {
  if (filters.maker === undefined || offset === undefined) return;
  throw new ServiceError('InvalidField', 'The filter maker allows no offset.', {
    recovery: 'Send the nextCursor of the previous page as cursor, and no offset.',
  });
}

/** Maximum number of records on the page. With the filter `maker`, one statement must read all makers of the page. */
const limitOf = ({ filters, limit }: Page): number =>
  filters.maker === undefined ? limit : Math.min(limit, MAX_MADE_CONTENTS);

/**
 * Reads a page of entities as values, for a caller that has a turn in the fair queue already. Parses one record after
 * the other, and yields between them. `length`: number of characters of the JSON.
 */
export async function listEntitiesInTurn(
  deps: Omit<ListDeps, 'scheduler' | 'limitLists'>,
  projectId: string,
  { page, signal }: Omit<ListRequest, 'name'>,
): Promise<{ entities: Entity[]; length: number; nextCursor: string | null }> {
  const db = pacedFor({ ...deps, db: deps.reads }, projectId, signal);
  const reading = await startReading(db, projectId, { name: 'entities', page, firstBytes: MAX_PAGE_BYTES });
  await finish(reading, db, deps.maxListRows);
  const rows = reading.shown();
  const entities = await mapYielding(rows, ({ text }) => JSON.parse(text) as Entity, signal);
  const length = rows.reduce((sum, { text }) => sum + text.length, 0);
  return { entities, length, nextCursor: reading.nextCursor() };
}

interface PageReading {
  /** Whether the page is full or the list ends. */
  isDone(): boolean;
  /** Upper bound of the number of rows that the complete steps have read. Look-ups of title words count as rows. */
  rows(): number;
  /** Reads at most `maxBytes` of JSON. */
  readNext(db: Queryable, maxBytes?: number): Promise<void>;
  /** Whether the steps have skipped as many records as `offset` requires. */
  hasSkipped(): boolean;
  /** The records on the page. */
  shown(): ListRow[];
  nextCursor(): string | null;
  /** `makers`: the makers of contents by their canonical CIDs. */
  toPage(makers?: ReadonlyMap<string, ContentMakers>): Reading & { text: string };
}

/** Whether a page shows makers. It must be a page of contents, and short enough for one statement. */
function showsMakers({ name, page }: Pick<ListRequest, 'name' | 'page'>): boolean {
  return name === 'resources' && limitOf(page) <= MAX_MADE_CONTENTS;
}

/** Whether a content belongs to the list of an entity. `made` is undefined if its first creator alone made it. */
function isMadeBy(made: ContentMakers | undefined, maker: string | undefined): boolean {
  return maker === undefined || made === undefined || made.makers.some(({ id }) => id === maker);
}

async function finish(reading: PageReading, db: Queryable, maxRows: number): Promise<void> {
  while (!reading.isDone() && reading.rows() < maxRows) await reading.readNext(db);
  if (!reading.isDone() && !reading.hasSkipped()) throw tooFar(maxRows);
}

function tooFar(maxRows: number): ServiceError {
  return new ServiceError(
    'InvalidField',
    `A page of this list reads at most ${maxRows} records (MAX_LIST_ROWS), and offset skips more.`,
    { recovery: 'Send the nextCursor of the previous page as cursor, and no offset.' },
  );
}

/** Adds the makers to the JSON text of a content, unless its first creator alone made it. */
function withMakers(text: string, made: ContentMakers | undefined): string {
  if (made === undefined || made.isCreatorAlone) return text;
  const { makers, correctedMaker } = made;
  return `${text.slice(0, -1)}, ${JSON.stringify({ makers, correctedMaker }).slice(1)}`;
}

/** Reads the first step of a page, at most `firstBytes` of JSON. */
async function startReading(
  db: Queryable,
  projectId: string,
  { name, page, firstBytes }: Pick<ListRequest, 'name' | 'page'> & { firstBytes: number },
): Promise<PageReading> {
  const { filters } = page;
  const limit = limitOf(page);
  let after = readAfter(name, page);
  const driver = await chooseDriver(db, projectId, { name, filters, after });
  const stepRows = countStepRows({ name, filters }, driver);
  const found: ListRow[] = [];
  let offset = page.offset ?? 0;
  let bytes = MAX_PAGE_BYTES;
  let steps = 0;
  let hasRead = false;
  let revision: number | undefined;
  /** Position from which the next page continues. Null: the list ends. Undefined: the page needs further steps. */
  let next: Position | null | undefined;

  /**
   * Stores where the next step begins. `isPartial`: the step was allowed fewer bytes than still fit on the page.
   */
  function advance(step: ListStepResult, isPartial: boolean): void {
    if (found.length > limit) next = found[limit - 1];
    else if (step.isCut && isPartial && found.length < limit) {
      // The next step begins after the last record that was found, and reads the remaining rows of this step again. So
      // this step does not count.
      steps--;
      if (step.rows.length === 0) return;
      after = found.at(-1);
      offset = 0;
    } else if (step.isCut) next = found.at(-1);
    else if (step.end === undefined) next = null;
    else if (found.length === limit) next = step.end;
    else {
      after = step.end;
      offset -= step.skipped;
    }
  }

  const reading: PageReading = {
    isDone: () => next !== undefined,
    rows: () => steps * stepRows,
    hasSkipped: () => offset === 0,
    async readNext(on, maxBytes = bytes) {
      const isPartial = maxBytes < bytes;
      const takesFirst = !isPartial && found.length === 0;
      const step = await readListStep(on, projectId, {
        ...{ name, filters, after, driver, offset, takesFirst },
        limit: limit + 1 - found.length,
        bytes: Math.min(bytes, maxBytes),
      });
      if (!hasRead) revision = step.revision;
      hasRead = true;
      steps++;
      found.push(...step.rows);
      bytes -= step.rows.reduce((sum, { text }) => sum + text.length, 0);
      advance(step, isPartial);
    },
    shown: () => found.slice(0, limit),
    nextCursor() {
      const from = next === undefined ? after : next;
      return from ? toCursor(name, from) : null;
    },
    toPage(makers = new Map()) {
      const shown = reading.shown().filter(({ id }) => isMadeBy(makers.get(id), filters.maker));
      const nextCursor = reading.nextCursor();
      const texts = shown.map(({ text, id }) => withMakers(text, makers.get(id))).join(',');
      const text = `{"${name}":[${texts}],"count":${shown.length},"nextCursor":${JSON.stringify(nextCursor)}}`;
      return { text, revision };
    },
  };
  await reading.readNext(db, firstBytes);
  return reading;
}

/** Returns the page of `listRecords`, from the cache if possible. */
export function answerList(
  deps: ListDeps & Pick<RecordDeps, 'answers'>,
  projectId: string,
  request: ListRequest,
): Promise<Answer | undefined> {
  const { name, page } = request;
  return deps.answers.answer(projectId, `list ${JSON.stringify({ name, page })}`, () =>
    listRecords(deps, projectId, request),
  );
}

function readAfter(name: ListName, { cursor, offset }: Page) {
  if (cursor === undefined) return undefined;
  if (offset !== undefined) throw new ServiceError('InvalidField', 'Send either cursor or offset, not both.');
  const after = parseCursor(name, cursor);
  if (after === undefined)
    throw new ServiceError(
      'InvalidField',
      'The cursor is not valid for this list. Send the nextCursor of a response of the same list.',
    );
  return after;
}
