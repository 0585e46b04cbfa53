import {
  type PublicationSummary,
  type PublicCheck,
  type PublishedHistory,
  WITHHOLDABLE,
} from '@colophon/model';
import { describeLog } from '../../log/checkpoint.js';
import type { LogNeeds } from '../../log/needs.js';
import type { Task } from '../../work/scheduler.js';
import { toAnswer } from '../answers.js';
import { type Converter, convertHistory } from '../conversion/converter.js';
import { type JsonText, toText } from '../json-text.js';
import type { Answer } from '../kept-answers.js';
import { readProvenBundle } from '../prove-bundle.js';
import { type HistoryNeeds, readBundleText } from '../read-histories.js';
import { writeJson } from '../write-json.js';
import { listKnowing, readContentDigest } from './published.sql.js';
import type { PublishedTerms } from './published-terms.js';
import { createBriefMemory } from './remember-briefly.js';
import { withholdFields } from './withhold-fields.js';

/** What everybody may read, as it is sent. It is up to 15 s old: many readers of one page cost one. */
export interface Publishing {
  /** A `PublishedHistory`; undefined when nothing of the content is recorded any more. */
  readHistory(terms: PublishedTerms): Promise<Answer | undefined>;
  /** The same as a `PublicationSummary`. */
  readSummary(terms: PublishedTerms): Promise<Answer | undefined>;
  /** A `ProvenBundle` of what is shown; undefined where there is none. */
  readProof(terms: PublishedTerms): Promise<Answer | undefined>;
  /** A `PublicCheck`: what these projects let out of a content. */
  check(projectIds: readonly string[], cid: string): Promise<Answer | undefined>;
}

/** What publishing works with; `takeTurn` keeps strangers from taking all connections. */
export interface PublishingNeeds extends HistoryNeeds {
  converter: Converter;
  log: LogNeeds;
  takeTurn: <T>(run: () => Promise<T>) => Promise<T>;
}

const MEMORY = { forMs: 15_000, entries: 500, bytes: 2 ** 24 };
const MAX_ACTIONS = 500;
const MAX_MATCHES = 5;

/** Reads what everybody may read, each history in a turn of its project. */
export function createPublishing(needs: PublishingNeeds): Publishing {
  const rememberAnswer = createBriefMemory(MEMORY);
  const remember = (name: string, look: () => Promise<JsonText | undefined>) =>
    rememberAnswer(name, async () => {
      const text = await look();
      return text === undefined ? undefined : toAnswer(text);
    });
  return {
    readHistory: (terms) =>
      remember(`history ${terms.id}`, () => readHistory(needs, { terms, inShort: false })),
    readSummary: (terms) =>
      remember(`summary ${terms.id}`, () => readHistory(needs, { terms, inShort: true })),
    readProof: (terms) =>
      remember(`proof ${terms.id}`, async () => {
        const proven = await readProvenBundle(needs.log, terms.projectId, toBundleTerms(terms.cid), (whole) =>
          withholdFields(whole, terms),
        );
        return proven && writeJson(proven, { form: 'plain' });
      }),
    check: (projectIds, cid) =>
      remember(`check ${cid}`, async () => JSON.stringify(await check(needs, projectIds, cid))),
  };
}

function toBundleTerms(cid: string) {
  return { cid, direction: 'ancestors', depth: undefined, limit: MAX_ACTIONS } as const;
}

/** Reads and converts in one turn: the parts take none of their own. */
function readHistory(
  needs: PublishingNeeds,
  { terms, inShort }: { terms: PublishedTerms; inShort: boolean },
): Promise<JsonText | undefined> {
  const { projectId, cid } = terms;
  return needs.scheduler.run({ projectId, kind: 'history' }, async (running, hold) => {
    const inTurn = { ...needs, scheduler: { run: <T>(_: unknown, task: Task<T>) => task(running, hold) } };
    const text = await readBundleText(inTurn, projectId, toBundleTerms(cid));
    if (text === undefined) return undefined;
    const log = await nameLog(needs.log, projectId);
    const sha256 = await readContentDigest(needs.reads, projectId, cid);
    const to = { published: { terms, log, sha256, inShort } };
    return convertHistory(inTurn, projectId, { to, text, signal: undefined });
  });
}

async function nameLog(log: LogNeeds, projectId: string): Promise<PublishedHistory['log']> {
  if (log.signer === undefined) return undefined;
  const { origin, verifierKey } = await describeLog(log, projectId);
  return { origin, verifierKey };
}

/** Nobody of it is named, and nothing told that somebody wrote. */
async function check(
  needs: PublishingNeeds,
  projectIds: readonly string[],
  cid: string,
): Promise<PublicCheck> {
  const knowing = await needs.takeTurn(() =>
    listKnowing(needs.reads, projectIds, { cid, limit: MAX_MATCHES }),
  );
  const found = await Promise.all(
    knowing.map((projectId) => readHistory(needs, { terms: toCheckTerms(projectId, cid), inShort: true })),
  );
  const matches = found
    .filter((text) => text !== undefined)
    .map((text) => (JSON.parse(toText(text)) as PublicationSummary).facts);
  return { cid, known: matches.length > 0, matches };
}

function toCheckTerms(projectId: string, cid: string): PublishedTerms {
  return {
    ...{ id: '', projectId, cid, title: null, createdAt: new Date(), expiresAt: null },
    withhold: WITHHOLDABLE.filter((what) => what !== 'tools'),
    hiddenEntities: 'all',
    pseudonymKey: new Uint8Array(32),
  };
}
