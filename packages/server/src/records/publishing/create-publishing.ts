import {
  type Bundle,
  type ProvenBundle,
  type PublicCheck,
  type PublishedHistory,
  WITHHOLDABLE,
} from '@colophon/model';
import { describeLog } from '../../log/checkpoint.js';
import type { LogNeeds } from '../../log/needs.js';
import { readProvenBundle } from '../prove-bundle.js';
import { type HistoryNeeds, readBundleText } from '../read-histories.js';
import { describeHistory } from './describe-history.js';
import { listKnowing, readContentDigest } from './published.sql.js';
import type { PublishedTerms } from './published-terms.js';
import { createBriefMemory } from './remember-briefly.js';
import { isProvable, withholdFields } from './withhold-fields.js';

/** What everybody may read. It is up to 15 s old: many readers of one page cost one. */
export interface Publishing {
  /** Undefined when nothing of the content is recorded any more. */
  readHistory(terms: PublishedTerms): Promise<PublishedHistory | undefined>;
  /** The proof of what is shown; undefined where there is none. */
  readProof(terms: PublishedTerms): Promise<ProvenBundle | undefined>;
  /** What these projects let out of a content. */
  check(projectIds: readonly string[], cid: string): Promise<PublicCheck>;
}

/** What publishing works with; `takeTurn` keeps strangers from taking all connections. */
export interface PublishingNeeds extends HistoryNeeds {
  log: LogNeeds;
  takeTurn: <T>(run: () => Promise<T>) => Promise<T>;
}

const MEMORY = { forMs: 15_000, entries: 500 };
const MAX_ACTIONS = 500;
const MAX_MATCHES = 5;

/** Reads what everybody may read. */
export function createPublishing(needs: PublishingNeeds): Publishing {
  const remember = createBriefMemory(MEMORY);
  const inTurn = <Found>(name: string, look: () => Promise<Found>) =>
    remember(name, () => needs.takeTurn(look));
  return {
    readHistory: (terms) => inTurn(`history ${terms.id}`, () => readHistory(needs, terms)),
    readProof: (terms) =>
      remember(`proof ${terms.id}`, () =>
        readProvenBundle(needs.log, terms.projectId, toBundleTerms(terms.cid), (whole) =>
          withholdFields(whole, terms),
        ),
      ),
    check: (projectIds, cid) => inTurn(`check ${cid}`, () => check(needs, projectIds, cid)),
  };
}

function toBundleTerms(cid: string) {
  return { cid, direction: 'ancestors', depth: undefined, limit: MAX_ACTIONS } as const;
}

async function readHistory(
  needs: PublishingNeeds,
  terms: PublishedTerms,
): Promise<PublishedHistory | undefined> {
  const { reads, log } = needs;
  const { projectId, cid } = terms;
  const text = await readBundleText(needs, projectId, toBundleTerms(cid));
  if (text === undefined) return undefined;
  const bundle = JSON.parse(text) as Bundle;
  const provable = log.signer !== undefined && isProvable(bundle, terms);
  return describeHistory(bundle, terms, {
    log: provable ? await nameLog(log, projectId) : undefined,
    sha256: await readContentDigest(reads, projectId, cid),
  });
}

async function nameLog(log: LogNeeds, projectId: string): Promise<PublishedHistory['log']> {
  const { origin, verifierKey } = await describeLog(log, projectId);
  return { origin, verifierKey };
}

/** Nobody of it is named, and nothing told that somebody wrote. */
async function check(
  needs: PublishingNeeds,
  projectIds: readonly string[],
  cid: string,
): Promise<PublicCheck> {
  const knowing = await listKnowing(needs.reads, projectIds, { cid, limit: MAX_MATCHES });
  const found = await Promise.all(
    knowing.map((projectId) => readHistory(needs, toCheckTerms(projectId, cid))),
  );
  const matches = found.filter((history) => history !== undefined).map(({ facts }) => facts);
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
