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
import { type BriefName, createBriefCache } from './brief-cache.js';
import { listKnowing, readContentDigest } from './published.sql.js';
import { createReadPicture, type PictureDeps, picturesOf } from './published-picture.js';
import { withholdFields } from './withhold-fields.js';

/** A place in the fair queue for a reader that is not the project. */
export type SummaryTurn = Pick<Turn, 'projectId' | 'isBackground' | 'signal'>;

/** Reads public histories as JSON. Caches responses for 15 s, so many readers cause one database read. */
export interface Publishing {
  /** Reads a `PublishedHistory`. Undefined when the content has no records. */
  readHistory(options: PublicationSettings): Promise<Answer | undefined>;
  /** `turn`: the place in the fair queue; the project's by default. Each `turn.projectId` has its own cache entry. */
  readSummary(options: PublicationSettings, turn?: SummaryTurn): Promise<Answer | undefined>;
  /** Reads a `PublishedDocument`: the history as HTML. */
  readPage(options: PublicationSettings): Promise<Answer | undefined>;
  /**
   * Reads a JPEG of the published picture. Undefined when the publication shows no picture, or when the service cannot
   * decode it. `signal` aborts when the reader disconnects.
   */
  readPicture(options: PublicationSettings, signal: AbortSignal): Promise<Answer | undefined>;
  /**
   * Reads the `ProvenBundle` of the published records. Undefined when the content has no records, or when the proof
   * would reveal a withheld field.
   */
  readProof(options: PublicationSettings, version?: ProofVersion): Promise<Answer | undefined>;
  /**
   * Reads a `PublicCheck`: the facts that these projects publish about a content. `caller`: IP address or network of
   * the reader; the callers take turns.
   */
  check(projectIds: readonly string[], query: { cid: string; caller: string }): Promise<Answer | undefined>;
}

/** `limitConcurrency` prevents anonymous readers from using all database connections. */
export interface PublishingDeps extends HistoryDeps, Pick<PictureDeps, 'blobs' | 'copies' | 'matching'> {
  converter: Converter;
  transparencyLog: TransparencyLogDeps;
  limitConcurrency: FairLimit;
}

const MEMORY = { forMs: 15_000, entries: 500, bytes: 2 ** 24 };
/**
 * Owner of the results of public checks in the cache. Anybody can request checks of any content, so the results of all
 * checks share the part of the cache that one owner may fill.
 */
const OF_CHECKS = 'checks';
const MAX_ACTIONS = 500;
const MAX_MATCHES = 5;

export function createPublishing(deps: PublishingDeps): Publishing {
  const rememberAnswer = createBriefCache(MEMORY);
  const remember = (of: BriefName, look: () => Promise<JsonText | undefined>) =>
    rememberAnswer(of, async () => {
      const text = await look();
      return text === undefined ? undefined : toAnswer(text);
    });
  return {
    readHistory: (options) =>
      remember({ owner: options.projectId, name: `history ${options.id}` }, () =>
        readHistory(deps, { options, form: 'history' }),
      ),
    readPage: (options) =>
      remember({ owner: options.projectId, name: `page ${options.id}` }, () =>
        readHistory(deps, { options, form: 'page' }),
      ),
    readPicture: createReadPicture(deps),
    readSummary: (options, turn) =>
      remember({ owner: options.projectId, name: `summary ${options.id} ${turn?.projectId}` }, () =>
        readHistory(deps, { options, form: 'summary', turn }),
      ),
    readProof: (options, version) =>
      remember({ owner: options.projectId, name: `proof ${version} ${options.id}` }, async () => {
        const proven = await readProvenBundle(
          deps.transparencyLog,
          options.projectId,
          { ...toBundleQuery(options.cid), version },
          (whole) => withholdFields(whole, options),
        );
        return proven && writeJson(proven, { form: 'plain' });
      }),
    check: (projectIds, { cid, caller }) =>
      remember({ owner: OF_CHECKS, name: cid }, async () =>
        JSON.stringify(await check(deps, projectIds, { cid, caller })),
      ),
  };
}

function toBundleQuery(cid: string) {
  return { cid, direction: 'ancestors', depth: undefined, limit: MAX_ACTIONS } as const;
}

/**
 * Runs all steps in one slot of the scheduler. `inTurn` runs each step immediately, because a step that waits for a
 * second slot could block the first slot.
 */
function readHistory(
  deps: PublishingDeps,
  {
    options,
    form,
    turn,
  }: { options: PublicationSettings; form: PublishedView['form']; turn?: SummaryTurn | undefined },
): Promise<JsonText | undefined> {
  const { projectId, cid } = options;
  const signal = turn?.signal;
  return deps.scheduler.run({ projectId, ...turn, kind: 'history' }, async (running, hold) => {
    const inTurn = { ...deps, scheduler: { run: <T>(_: unknown, task: Task<T>) => task(running, hold) } };
    const text = await readBundleText(inTurn, projectId, { ...toBundleQuery(cid), signal });
    if (text === undefined) return undefined;
    const log = await nameLog(deps.transparencyLog, projectId);
    const sha256 = await readContentDigest(untilAborted(deps.reads, signal), projectId, cid);
    const hasTitles = options.titles && form !== 'summary';
    const titles = hasTitles ? await readTitlesOf(inTurn, { projectId, text, signal: running }) : {};
    const to = { published: { options, log, sha256, titles, pictures: picturesOf(deps.matching), form } };
    return convertHistory(inTurn, projectId, { to, text, signal });
  });
}

/** Reads the current titles of the contents of a history, so that a publication never shows a removed title. */
async function readTitlesOf(
  deps: Pick<PublishingDeps, 'converter' | 'scheduler' | 'reads' | 'hasOtherRequests'>,
  { projectId, text, signal }: { projectId: string; text: JsonText; signal: AbortSignal | undefined },
): Promise<Record<string, string>> {
  const cids = JSON.parse(toText(await convertHistory(deps, projectId, { to: 'cids', text, signal })));
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

/**
 * Reads the facts for `Publishing.check`. The response has the roles of the makers, but nothing else about entities.
 * The only texts from users in the response are the names of AI tools and the types of the content.
 */
async function check(
  deps: PublishingDeps,
  projectIds: readonly string[],
  { cid, caller }: { cid: string; caller: string },
): Promise<PublicCheck> {
  const knowing = await deps.limitConcurrency(caller, () =>
    listKnowing(deps.reads, projectIds, { cid, limit: MAX_MATCHES }),
  );
  const found = await Promise.all(
    knowing.map((projectId) =>
      readHistory(deps, { options: toPublicationSettings(projectId, cid), form: 'summary' }),
    ),
  );
  const matches = found
    .filter((text) => text !== undefined)
    .map((text) => (JSON.parse(toText(text)) as PublicationSummary).facts);
  return { cid, known: matches.length > 0, matches };
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
