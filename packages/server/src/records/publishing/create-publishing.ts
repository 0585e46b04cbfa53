import {
  type ProofVersion,
  type PublicationSummary,
  type PublicCheck,
  type PublishedHistory,
  WITHHOLDABLE,
} from '@colophon/model';
import { untilAborted } from '../../platform/db/database.js';
import { pacedFor } from '../../platform/db/paced.js';
import { type JsonText, toText } from '../../platform/json-text.js';
import type { FairLimit } from '../../platform/work/limit-concurrency.js';
import type { Task, Turn } from '../../platform/work/scheduler.js';
import { toReaders } from '../../platform/work/task-queue.js';
import { describeLog } from '../../transparency-log/checkpoint.js';
import type { TransparencyLogDeps } from '../../transparency-log/deps.js';
import { type Converter, convertHistory } from '../conversion/converter.js';
import type { PublishedView } from '../conversion/describe-history.js';
import type { PublicationSettings } from '../conversion/published-terms.js';
import type { Answer } from '../read/answer-cache.js';
import { toAnswer } from '../read/answers.js';
import { readProvenBundle } from '../read/prove-bundle.js';
import { type HistoryDeps, readBundleText } from '../read/read-histories.js';
import { readCanonicalTitles } from '../read/titles.sql.js';
import { writeJson } from '../read/write-json.js';
import { type BriefName, createSharedRead } from './brief-cache.js';
import { type KnowingProject, listKnowing, readContentDigest } from './published.sql.js';
import { createReadPicture, type PictureDeps, picturesOf } from './published-picture.js';
import { withholdFields } from './withhold-fields.js';

/** By default, a place of the public readers of the project. */
export interface SummaryTurn extends Partial<Pick<Turn, 'projectId' | 'isBackground'>> {
  signal: AbortSignal;
}

/**
 * Caches responses for 15 s, and pictures for 10 minutes. In the fair queue, the public readers of a project are a
 * tenant of their own, so they take no slot of the project. A read ends when all its readers have disconnected.
 */
export interface Publishing {
  /** Reads a `PublishedHistory`. Undefined when the content has no records. */
  readHistory(options: PublicationSettings, signal: AbortSignal): Promise<Answer | undefined>;
  /** Each `turn.projectId` has its own cache entry. */
  readSummary(options: PublicationSettings, turn: SummaryTurn): Promise<Answer | undefined>;
  /** Reads a `PublishedLineage`. Each `turn.projectId` has its own cache entry. */
  readLineage(options: PublicationSettings, turn: SummaryTurn): Promise<Answer | undefined>;
  /** Reads a `PublishedDocument`. */
  readPage(options: PublicationSettings, signal: AbortSignal): Promise<Answer | undefined>;
  /** Reads a JPEG. Undefined when the publication shows no picture, or when the service cannot decode it. */
  readPicture(options: PublicationSettings, signal: AbortSignal): Promise<Answer | undefined>;
  /** Reads a `ProvenBundle`. Undefined without records, and when the proof would reveal a withheld field. */
  readProof(
    options: PublicationSettings,
    query: { version?: ProofVersion | undefined; signal: AbortSignal },
  ): Promise<Answer | undefined>;
  /** Reads a `PublicCheck`. `caller`: IP address or network of the reader; the callers take turns. */
  check(projectIds: readonly string[], query: PublicCheckQuery): Promise<Answer | undefined>;
}

interface PublicCheckQuery {
  cid: string;
  caller: string;
  /** The check shows the links of these publications. */
  listPublications(knowing: readonly KnowingProject[]): Promise<NonNullable<PublicCheck['publications']>>;
  signal: AbortSignal;
}

/** `limitConcurrency` prevents anonymous readers from using all database connections. */
export interface PublishingDeps extends HistoryDeps, Pick<PictureDeps, 'blobs' | 'copies' | 'matching'> {
  converter: Converter;
  transparencyLog: TransparencyLogDeps;
  limitConcurrency: FairLimit;
}

const MEMORY = { forMs: 15_000, entries: 500, bytes: 2 ** 24 };
/** Owner of cached public checks. Anybody can request checks, so together they fill only one share of the cache. */
const OF_CHECKS = 'checks';
const MAX_ACTIONS = 500;
const MAX_MATCHES = 5;
/** Time that a public check waits for further projects after the first match, in milliseconds. */
const LATE_MS = 1_000;

export function createPublishing(deps: PublishingDeps): Publishing {
  const read = createSharedRead(MEMORY);
  const remember = (
    of: BriefName,
    signal: AbortSignal,
    look: (allGone: AbortSignal) => Promise<JsonText | undefined>,
  ) =>
    read(of, signal, async (allGone) => {
      const text = await look(allGone);
      return text === undefined ? undefined : toAnswer(text);
    });
  const readInTurn = (form: 'summary' | 'lineage', options: PublicationSettings, turn: SummaryTurn) =>
    remember(
      { owner: options.projectId, name: `${form} ${options.id} ${turn.projectId}` },
      turn.signal,
      (allGone) => readHistory(deps, { options, form, turn: { ...turn, signal: allGone } }),
    );
  return {
    readHistory: (options, signal) =>
      remember({ owner: options.projectId, name: `history ${options.id}` }, signal, (allGone) =>
        readHistory(deps, { options, form: 'history', turn: { signal: allGone } }),
      ),
    readPage: (options, signal) =>
      remember({ owner: options.projectId, name: `page ${options.id}` }, signal, (allGone) =>
        readHistory(deps, { options, form: 'page', turn: { signal: allGone } }),
      ),
    readPicture: createReadPicture(deps),
    readSummary: (options, turn) => readInTurn('summary', options, turn),
    readLineage: (options, turn) => readInTurn('lineage', options, turn),
    readProof: (options, { version, signal }) =>
      remember(
        { owner: options.projectId, name: `proof ${version} ${options.id}` },
        signal,
        async (allGone) => {
          const proven = await readProvenBundle(
            logsForReaders(deps),
            options.projectId,
            { ...toBundleQuery(options.cid), version, signal: allGone },
            (whole) => withholdFields(whole, options, allGone),
          );
          return proven && writeJson(proven, { form: 'plain', signal: allGone });
        },
      ),
    check: (projectIds, query) =>
      remember({ owner: OF_CHECKS, name: query.cid }, query.signal, async (allGone) =>
        JSON.stringify(await check(deps, projectIds, { ...query, signal: allGone })),
      ),
  };
}

/** In the fair queue, reads of this log belong to the public readers of the project. */
function logsForReaders({
  transparencyLog,
  scheduler,
  hasOtherRequests,
}: PublishingDeps): TransparencyLogDeps {
  return {
    ...transparencyLog,
    limitConcurrency: (projectId, run, signal) =>
      scheduler.run({ projectId: toReaders(projectId), kind: 'history', signal }, run),
    hasOtherRequests: (projectId) => hasOtherRequests?.(toReaders(projectId)) ?? false,
  };
}

function toBundleQuery(cid: string) {
  return { cid, direction: 'ancestors', depth: undefined, limit: MAX_ACTIONS } as const;
}

/** `inTurn` runs each step in the slot of this read, because a wait for a second slot could block the first one. */
function readHistory(
  deps: PublishingDeps,
  { options, form, turn }: { options: PublicationSettings; form: PublishedView['form']; turn: SummaryTurn },
): Promise<JsonText | undefined> {
  const { projectId, cid } = options;
  const { projectId: tenant = toReaders(projectId), signal } = turn;
  return deps.scheduler.run({ ...turn, projectId: tenant, kind: 'history' }, async (running, hold) => {
    const inTurn = {
      ...deps,
      scheduler: { run: <T>(_: unknown, task: Task<T>) => task(running, hold) },
      hasOtherRequests: () => deps.hasOtherRequests?.(tenant) ?? false,
    };
    const text = await readBundleText(inTurn, projectId, { ...toBundleQuery(cid), signal });
    if (text === undefined) return undefined;
    const log = await nameLog(deps.transparencyLog, projectId);
    const sha256 = await readContentDigest(untilAborted(deps.reads, signal), projectId, cid);
    const hasTitles = options.titles && (form === 'history' || form === 'page');
    const titles = hasTitles ? await readTitlesOf(inTurn, { projectId, tenant, text, signal: running }) : {};
    const to = { published: { options, log, sha256, titles, pictures: picturesOf(deps.matching), form } };
    return convertHistory(inTurn, tenant, { to, text, signal });
  });
}

/** Reads the current titles, so that a publication never shows a removed title. */
async function readTitlesOf(
  deps: Pick<PublishingDeps, 'converter' | 'scheduler' | 'reads' | 'hasOtherRequests'>,
  {
    projectId,
    tenant,
    text,
    signal,
  }: { projectId: string; tenant: string; text: JsonText; signal: AbortSignal },
): Promise<Record<string, string>> {
  const cids = JSON.parse(toText(await convertHistory(deps, tenant, { to: 'cids', text, signal })));
  return readCanonicalTitles(pacedFor({ ...deps, db: deps.reads }, projectId, signal), projectId, cids);
}

async function nameLog(
  transparencyLog: TransparencyLogDeps,
  projectId: string,
): Promise<PublishedHistory['log']> {
  if (transparencyLog.signer === undefined) return undefined;
  const { origin, verifierKey } = await describeLog(transparencyLog, projectId);
  return { origin, verifierKey };
}

/** Shows nothing about entities except the roles of makers. Texts from users: only tool names, types and titles. */
async function check(
  deps: PublishingDeps,
  projectIds: readonly string[],
  { cid, caller, listPublications, signal }: PublicCheckQuery,
): Promise<PublicCheck> {
  const { knowing, publications } = await deps.limitConcurrency(
    caller,
    async () => {
      const knowing = await listKnowing(deps.reads, projectIds, { cid, limit: MAX_MATCHES });
      return { knowing, publications: knowing.length === 0 ? [] : await listPublications(knowing) };
    },
    signal,
  );
  const matches = await readMatches(deps, knowing, signal);
  return { cid, known: matches.length > 0, matches, publications };
}

/** Leaves out a project whose read fails or is late. Rejects when no project has a match and a read failed. */
async function readMatches(
  deps: PublishingDeps,
  knowing: readonly KnowingProject[],
  signal: AbortSignal,
): Promise<PublicCheck['matches']> {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const turn = { signal: AbortSignal.any([signal, late.signal]) };
  const reads = knowing.map(async ({ projectId, cid }) => {
    const options = toPublicationSettings(projectId, cid);
    const text = await readHistory(deps, { options, form: 'summary', turn });
    if (text === undefined) return [];
    timer ??= setTimeout(() => late.abort(new Error('The other projects have answered.')), LATE_MS);
    return [(JSON.parse(toText(text)) as PublicationSummary).facts];
  });
  const results = await Promise.allSettled(reads);
  clearTimeout(timer);
  signal.throwIfAborted();
  const matches = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  const failed = results.find(({ status }) => status === 'rejected');
  if (matches.length === 0 && failed?.status === 'rejected') throw failed.reason;
  return matches;
}

function toPublicationSettings(projectId: string, cid: string): PublicationSettings {
  return {
    ...{ id: '', projectId, cid, title: null, createdAt: new Date(), expiresAt: null },
    withhold: WITHHOLDABLE.filter((what) => what !== 'tools'),
    hiddenEntities: 'all',
    titles: false,
    picture: false,
    license: false,
    pseudonymKey: new Uint8Array(32),
  };
}
