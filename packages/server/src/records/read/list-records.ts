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
  signal: AbortSignal;
}

export type ListDeps = Pick<
  RecordDeps,
  'reads' | 'scheduler' | 'hasOtherRequests' | 'maxListRows' | 'limitLists'
>;

/** Approximate limit of the JSON that a list reads outside the fair queue, in bytes. */
const AT_ONCE_BYTES = 128 * 1024;

/**
 * Reads a page of a list, newest first, as JSON text: `{<list>: [...], count, nextCursor}`. New records do not change
 * the pages after a cursor. A page ends early, and may be empty, when its records are large or after `maxListRows`
 * rows. Its cursor then leads to the next page. Only the steps after the first one wait in the fair queue.
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

/** Only pages show which contents the entity made, so no offset can skip them. */
function assertPageOfMaker({ filters, offset }: Page): void {
  if (filters.maker === undefined || offset === undefined) return;
  throw new ServiceError('InvalidField', 'The filter maker allows no offset.', {
    recovery: 'Send the nextCursor of the previous page as cursor, and no offset.',
  });
}

/** With the filter `maker`, one statement must read all makers of the page. */
const limitOf = ({ filters, limit }: Page): number =>
  filters.maker === undefined ? limit : Math.min(limit, MAX_MADE_CONTENTS);

/**
 * Lists entities for a caller that has a turn in the fair queue already. `length`: number of characters of the JSON.
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
  /** Upper bound of the rows that the steps have read. Look-ups of title words count as rows. */
  rows(): number;
  /** Reads at most `maxBytes` of JSON. */
  readNext(db: Queryable, maxBytes?: number): Promise<void>;
  /** Whether the steps have skipped as many records as `offset` requires. */
  hasSkipped(): boolean;
  shown(): ListRow[];
  nextCursor(): string | null;
  /** `makers`: by the canonical CIDs of contents. */
  toPage(makers?: ReadonlyMap<string, ContentMakers>): Reading & { text: string };
}

/** One statement must read all makers, so a longer page shows none. */
function showsMakers({ name, page }: Pick<ListRequest, 'name' | 'page'>): boolean {
  return name === 'resources' && limitOf(page) <= MAX_MADE_CONTENTS;
}

/** `made` is undefined if the first creator alone made the content. */
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

function withMakers(text: string, made: ContentMakers | undefined): string {
  if (made === undefined || made.isCreatorAlone) return text;
  const { makers, correctedMaker } = made;
  return `${text.slice(0, -1)}, ${JSON.stringify({ makers, correctedMaker }).slice(1)}`;
}

/** The first step reads at most `firstBytes` of JSON. */
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
  /** Null: the list ends. Undefined: the page needs further steps. */
  let next: Position | null | undefined;

  /** `isPartial`: the step was allowed fewer bytes than still fit on the page. */
  function advance(step: ListStepResult, isPartial: boolean): void {
    if (found.length > limit) next = found[limit - 1];
    else if (step.isCut && isPartial && found.length < limit) {
      // The next step reads the remaining rows of this step again, so this step does not count.
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
