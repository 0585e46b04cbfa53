import {
  type ContentIscc,
  countDifferentBits,
  describeWork,
  encodeIsccSequence,
  encodeIsccUnit,
  ISCC_BINDING,
  IsccError,
  type IsccMatch,
  type IsccSearchResult,
  type IsccUnit,
  toBase64,
} from '@colophon/model';
import type { Queryable } from '../../platform/db/database.js';
import { roundScore } from '../../search/classify-match.js';
import { readExact } from '../../search/descriptors.sql.js';
import {
  comparePage,
  listInstances,
  type NearIscc,
  readIscc,
  type StoredIscc,
} from '../../search/iscc/stored-iscc.sql.js';
import type { RecordDeps } from '../deps.js';
import { absent } from '../read/absent.js';
import { readCanonicalTitles } from '../read/titles.sql.js';
import type { IsccQuery } from './parse-iscc.js';

/** Content-Codes per statement. Statements of other projects can run between two pages. */
const PAGE_ROWS = 5_000;
/** Largest number of Content-Codes that a search compares. */
const MAX_COMPARED = 200_000;
/** Codes are near when at most this share of their bits differs: 10 of 64 bits. */
const NEAR_SHARE = 5 / 32;

interface IsccSearch {
  query: IsccQuery;
  limit: number;
  signal: AbortSignal;
}

/** The service uses ISCCs only to exchange identifiers with other services, so the verdict is never `auto`. */
export async function searchIscc(
  { reads, scheduler }: Pick<RecordDeps, 'reads' | 'scheduler'>,
  projectId: string,
  { query, limit, signal }: IsccSearch,
): Promise<IsccSearchResult> {
  const found = await scheduler.run({ projectId, kind: 'search', signal }, async (running) => {
    const { content, instance } = query;
    const same = instance === undefined ? [] : await listInstances(reads, projectId, { instance, limit });
    const near = await findNear(reads, projectId, { content, limit, signal: running });
    const cids = [...new Set([...same, ...near.cids])];
    return { ...near, stored: await readIscc(reads, projectId, cids) };
  });
  const matches = found.stored
    .map((stored) => toMatch(stored, query))
    .sort((a, b) => b.score - a.score || distanceOf(a) - distanceOf(b) || (a.cid < b.cid ? -1 : 1))
    .slice(0, limit);
  const verdict = matches.some(isSame) ? 'exact' : matches.length > 0 ? 'review' : 'no-match';
  return { verdict, matches, compared: found.compared, isComplete: found.isComplete };
}

async function findNear(
  db: Queryable,
  projectId: string,
  { content, limit, signal }: { content: IsccQuery['content']; limit: number; signal: AbortSignal },
): Promise<{ cids: string[]; compared: number; isComplete: boolean }> {
  if (content === undefined) return { cids: [], compared: 0, isComplete: true };
  const asked: NearIscc = { ...content, maxDistance: Math.floor(content.digest.length * 8 * NEAR_SHARE) };
  let near: { cid: string; distance: number }[] = [];
  let compared = 0;
  let after: string | undefined = '';
  while (after !== undefined && compared < MAX_COMPARED) {
    signal.throwIfAborted();
    const page = await comparePage(db, projectId, { ...asked, after, limit: PAGE_ROWS, maxNear: limit });
    near = [...near, ...page.near].sort((a, b) => a.distance - b.distance).slice(0, limit);
    compared += page.compared;
    after = page.next;
  }
  return { cids: near.map(({ cid }) => cid), compared, isComplete: after === undefined };
}

function toMatch({ cid, type, code, units }: StoredIscc, query: IsccQuery): IsccMatch {
  const asked: [IsccUnit['mainType'], Uint8Array | undefined][] = [
    ['content', mediumOf(units) === query.content?.medium ? query.content?.digest : undefined],
    ['data', query.data],
    ['instance', query.instance],
  ];
  const compared = asked.flatMap(([mainType, digest]) => {
    const unit = units.find((one) => one.mainType === mainType);
    if (digest === undefined || unit === undefined) return [];
    return [{ unit: mainType, bits: digest.length * 8, distance: countDifferentBits(digest, unit.digest) }];
  }) as IsccMatch['units'];
  const match = { cid, type, iscc: code, units: compared };
  const content = compared.find(({ unit }) => unit === 'content');
  const share = content === undefined ? 0 : 1 - content.distance / content.bits;
  return { ...match, score: isSame(match) ? 1 : roundScore(share) };
}

const mediumOf = (units: readonly IsccUnit[]) => units.find(({ mainType }) => mainType === 'content')?.medium;

const isSame = ({ units }: Pick<IsccMatch, 'units'>) =>
  units.some(({ unit, distance }) => unit === 'instance' && distance === 0);

const distanceOf = ({ units }: IsccMatch) => units.reduce((sum, { distance }) => sum + distance, 0);

/** Throws `NotFound` for content that the project does not know. */
export async function getContentIscc(
  { reads }: Pick<RecordDeps, 'reads'>,
  projectId: string,
  cid: string,
): Promise<ContentIscc> {
  const content = await readExact(reads, projectId, [cid]);
  if (content === undefined) throw absent('content', cid);
  const { cid: canonical } = content;
  const [stored] = await readIscc(reads, projectId, [canonical]);
  const metaCode = toMetaCode((await readCanonicalTitles(reads, projectId, [canonical]))[canonical]);
  if (stored === undefined) return { cid: canonical, iscc: null, units: [], softBinding: null, metaCode };
  const { code, units } = stored;
  return {
    cid: canonical,
    metaCode,
    iscc: code,
    units: units.map((unit) => encodeIsccUnit(unit)),
    softBinding: { alg: ISCC_BINDING, value: toBase64(encodeIsccSequence(units)) },
  };
}

/** Returns null without a title, and for a title that has no characters for a Meta-Code. */
function toMetaCode(title: string | undefined): string | null {
  if (title === undefined) return null;
  try {
    return encodeIsccUnit(describeWork({ name: title }).unit);
  } catch (error) {
    if (error instanceof IsccError) return null;
    throw error;
  }
}
