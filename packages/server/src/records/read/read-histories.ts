import { pacedFor } from '../../platform/db/paced.js';
import { type JsonText, join } from '../../platform/json-text.js';
import type { Scheduler } from '../../platform/work/scheduler.js';
import { readRevisions } from '../../transparency-log/revisions.sql.js';
import type { RecordDeps } from '../deps.js';
import type { Reading } from './answers.js';
import type { BundleQuery, BundleRow, HistoryRow, HistorySessionRow } from './histories.sql.js';
import type { HistorySource } from './history-source.js';
import type { Rendered } from './long-histories.sql.js';
import { readLongBundle, readLongSession } from './read-long-history.js';
import type { HistoryTexts } from './render-history.js';

export type HistoryDeps = Pick<RecordDeps, 'reads' | 'bundles' | 'hasOtherRequests'> & {
  scheduler: Pick<Scheduler, 'run'>;
};

export interface HistoryReading {
  /** Aborts when no caller waits any more. */
  signal?: AbortSignal | undefined;
  /** Limits of a history that one statement reads. */
  whole?: { limit: number; maxBytes: number };
  stepItems?: number;
  /** Approximate limit of the JSON; `MAX_ANSWER_BYTES` by default. */
  maxBytes?: number;
}

export const WHOLE = { limit: 200, maxBytes: 2 ** 20 };
/** Reduces the limits of a query to what one statement reads. */
export function within<Query extends { limit: number }>(whole: typeof WHOLE, query: Query) {
  return { ...query, limit: Math.min(query.limit, whole.limit), maxBytes: whole.maxBytes };
}

/** Number of further tries when a history changes during a read. */
const MORE_TRIES = 2;

/** Beyond `limit` or the size of a response, only the nearest actions remain. `text`: undefined for an unknown CID. */
export async function readBundle(
  deps: HistoryDeps,
  projectId: string,
  { whole = WHOLE, stepItems, maxBytes, signal, ...options }: BundleQuery & HistoryReading,
): Promise<Reading<JsonText>> {
  const row = await deps.bundles.read(projectId, within(whole, options), signal);
  if (!row.known || row.fits) return { text: toBundleText(row), revision: row.revision ?? undefined };
  const { found, revision } = await inSteps(
    deps,
    { projectId, stepItems, maxBytes, signal },
    async (source) => {
      const history = await readLongBundle(source, options);
      return join(toBundleParts({ ...toRow(history), cid: JSON.stringify(history.root) }));
    },
  );
  return { text: found, revision };
}

export async function readBundleText(
  deps: HistoryDeps,
  projectId: string,
  options: BundleQuery & HistoryReading,
): Promise<JsonText | undefined> {
  return (await readBundle(deps, projectId, options)).text;
}

/** Oldest first, up to `limit` actions and the size of a response. */
export async function readSession(
  deps: HistoryDeps,
  projectId: string,
  {
    whole = WHOLE,
    stepItems,
    maxBytes,
    signal,
    ...options
  }: { sessionId: string; limit: number } & HistoryReading,
): Promise<Reading<JsonText> & { text: JsonText }> {
  const { sessionId } = options;
  const row = await deps.bundles.readSession(projectId, within(whole, options), signal);
  if (row !== undefined) return { text: toSessionText(row, sessionId), revision: row.revision ?? undefined };
  const { found, revision } = await inSteps(
    deps,
    { projectId, stepItems, maxBytes, signal },
    async (source) => {
      const history = await readLongSession(source, options);
      const summary = Object.entries(history.counts).map(([name, count]) => `"${name}": ${count}`);
      return join(toSessionParts({ ...toRow(history), summary: `{${summary.join(', ')}}` }, sessionId));
    },
  );
  return { text: found, revision };
}

/** Maximum number of actions in a history that is part of another response. */
const MAX_ALONG = 1_000;

/** Keeps only the nearest `MAX_ALONG` actions. */
export async function readAncestors(
  deps: HistoryDeps,
  projectId: string,
  { cid, signal }: { cid: string; signal: AbortSignal },
): Promise<JsonText> {
  const options = { cid, direction: 'ancestors', depth: undefined, limit: MAX_ALONG, signal } as const;
  const text = await readBundleText(deps, projectId, options);
  if (text === undefined)
    throw new Error('The project has recorded this content, but no history of it can be read');
  return text;
}

/** Waits in the fair queue. Pauses between statements while other projects have requests. */
export async function inSteps<Found>(
  { reads, scheduler, hasOtherRequests }: HistoryDeps,
  { signal, ...source }: Omit<HistorySource, 'db'> & Pick<HistoryReading, 'signal'>,
  read: (source: HistorySource, running: AbortSignal) => Promise<Found>,
): Promise<{ found: Found; revision: number | undefined }> {
  const { projectId } = source;
  return scheduler.run({ projectId, kind: 'history', signal }, async (running) => {
    const db = pacedFor({ db: reads, hasOtherRequests }, projectId, running);
    return readOfOneMoment({ db, ...source }, (moment) => read(moment, running));
  });
}

/**
 * Reads again if a recording happens meanwhile, at most three times in all. A result without `revision` has every
 * commit before the last read, and perhaps parts of later ones.
 */
export async function readOfOneMoment<Found>(
  source: HistorySource,
  read: (source: HistorySource) => Promise<Found>,
): Promise<{ found: Found; revision: number | undefined }> {
  const readRevision = async () => (await readRevisions(source.db, [source.projectId])).get(source.projectId);
  for (let tries = 0; ; tries++) {
    const revision = await readRevision();
    const found = await read(source);
    if (revision === (await readRevision())) return { found, revision };
    if (tries === MORE_TRIES) return { found, revision: undefined };
  }
}

/** A list may have several parts, to be joined by `, `. */
type WithParts<Row extends HistoryRow> = Omit<Row, Rendered> & Record<Rendered, string | readonly Buffer[]>;

function toRow({ texts, counts, aliases, isComplete }: HistoryTexts): WithParts<HistoryRow> {
  return {
    ...texts,
    fits: true,
    count: counts.actions,
    beyond: !isComplete,
    revision: null,
    aliases: aliases.size === 0 ? null : `{${sortAliases(aliases).map(toMember).join(', ')}}`,
  };
}

const toMember = ([name, value]: [string, string]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`;

export function sortAliases(aliases: HistoryTexts['aliases']): [string, string][] {
  return [...aliases].sort(byName);
}

/** Compares two members in the order of a `jsonb`: by the length of the name, then by its bytes. */
function byName([a]: [string, string], [b]: [string, string]): number {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length - other.length || Buffer.compare(one, other);
}

export function toBundleText(row: BundleRow): string | undefined {
  return row.known ? toBundleParts(row).join('') : undefined;
}

// Members are in the order of a `jsonb`.
function toBundleParts(row: Omit<WithParts<BundleRow>, 'known' | 'isCut'>): (string | Buffer)[] {
  return [
    `{"cid": ${row.cid}, "actions": [`,
    ...itemsOf(row.actions),
    `], ${aliasesOf(row)}"complete": ${!row.beyond}, "entities": [`,
    ...itemsOf(row.entities),
    '], "resources": [',
    ...itemsOf(row.resources),
    `], ${cutOf(row)}"attributions": [`,
    ...itemsOf(row.attributions),
    ']}',
  ];
}

export function toSessionText(row: HistorySessionRow, sessionId: string): string {
  return toSessionParts(row, sessionId).join('');
}

function toSessionParts(row: WithParts<HistorySessionRow>, sessionId: string): (string | Buffer)[] {
  return [
    '{"actions": [',
    ...itemsOf(row.actions),
    `], ${aliasesOf(row)}"summary": ${row.summary}, "complete": ${!row.beyond}, "entities": [`,
    ...itemsOf(row.entities),
    '], "resources": [',
    ...itemsOf(row.resources),
    `], "sessionId": ${JSON.stringify(sessionId)}, ${cutOf(row)}"attributions": [`,
    ...itemsOf(row.attributions),
    ']}',
  ];
}

function itemsOf(list: string | readonly Buffer[]): (string | Buffer)[] {
  if (typeof list === 'string') return [list];
  return list.flatMap((part, index) => (index === 0 ? [part] : [', ', part]));
}

const aliasesOf = ({ aliases }: Pick<HistoryRow, 'aliases'>) =>
  aliases === null ? '' : `"aliases": ${aliases}, `;
const cutOf = ({ beyond, count }: Pick<HistoryRow, 'beyond' | 'count'>) =>
  beyond ? `"truncatedAt": ${count}, ` : '';
