import type { Queryable } from '../platform/db/database.js';
import { limitClause } from '../platform/db/limit-clause.js';
import type { Candidate, Described, Method } from './descriptor.js';
import { readVectors } from './memory-index.sql.js';
import { dot, signsOf } from './vector.js';

/** Pairs of a stored and a requested vector whose cosines are computed. Their signs select them. */
const LIKELY = 256;
/** Parts of a requested vector, by the absolute value of its numbers. All numbers of a part get one weight. */
const PARTS = 4;
/** Pairs whose signs one statement compares. */
const PAIRS_AT_ONCE = 4_096;
/** Vectors that one statement reads. A vector has up to 16 KiB. */
const VECTORS_AT_ONCE = 128;

export interface NearRow {
  cid: string;
  turn: number;
  cosine: number;
}

/** Reads the nearest content of the project, nearest first. A content can appear once for each requested vector. */
export async function readNearest(
  db: Queryable,
  projectId: string,
  {
    described: { method, turned },
    limit,
    signal,
  }: { described: Described; limit: number; signal?: AbortSignal | undefined },
): Promise<Candidate[]> {
  const nearest = await readNearestNames(db, projectId, { method, turned, limit, signal });
  return readCandidates(db, projectId, { method, nearest });
}

/** Finds the nearest pairs: first selects likely pairs by their signs, and then reads their vectors. */
export async function readNearestNames(
  db: Queryable,
  projectId: string,
  { method, turned, limit, signal }: NearestNamesQuery,
): Promise<NearRow[]> {
  const asked = JSON.stringify(turned.map(toWeighed));
  const rows = Math.ceil(PAIRS_AT_ONCE / Math.max(1, turned.length));
  const most = Math.max(LIKELY, 8 * limit);
  let likely: LikelyPair[] = [];
  for (let after: string | null = ''; after !== null; ) {
    signal?.throwIfAborted();
    const page: LikelyPage = await readLikely(db, projectId, { method, asked, after, rows, most });
    likely = [...likely, ...page.near].sort(byDistance).slice(0, most);
    after = page.read < rows ? null : page.last;
  }
  const vectors = new Map<string, Float32Array>();
  const cids = [...new Set(likely.map(({ cid }) => cid))];
  for (let at = 0; at < cids.length; at += VECTORS_AT_ONCE) {
    signal?.throwIfAborted();
    const part = { method, cids: cids.slice(at, at + VECTORS_AT_ONCE) };
    for (const { cid, vector } of await readVectors(db, projectId, part))
      vectors.set(cid, parseStoredVector(vector));
  }
  const near = likely.flatMap(({ cid, turn }) => {
    const vector = vectors.get(cid);
    return vector === undefined ? [] : [{ cid, turn, cosine: dot(vector, turned[turn] ?? []) }];
  });
  return near.sort(byCosine).slice(0, limit);
}

interface NearestNamesQuery extends Pick<Described, 'method' | 'turned'> {
  limit: number;
  signal?: AbortSignal | undefined;
}

/** `distance`: the sum of the weights of all differing signs. */
interface LikelyPair {
  cid: string;
  turn: number;
  distance: number;
}

/** `read`: number of compared vectors. `last`: CID of the last one; null without vectors. */
interface LikelyPage {
  read: number;
  last: string | null;
  near: LikelyPair[];
}

/**
 * Compares the signs of the next `rows` stored vectors after a CID. `asked`: JSON `[{signs, parts: [{mask, weight}]}]`.
 * A `mask` selects the signs of a part; `weight` is the mean absolute value of their numbers.
 */
async function readLikely(
  db: Queryable,
  projectId: string,
  {
    method,
    asked,
    after,
    rows,
    most,
  }: { method: Method; asked: string; after: string; rows: number; most: number },
): Promise<LikelyPage> {
  const [page] = await db.query<LikelyPage>(
    `with asked as materialized (
       select (ordinality - 1)::int as turn, (value->>'signs')::bit varying as signs, ${ASKED_PARTS}
       from jsonb_array_elements($3::jsonb) with ordinality),
     page as materialized (
       select d.cid, d.signs from provenance.descriptor d
       where d.project_id = $1 and d.method = $2 and d.cid > $5 order by d.cid ${limitClause(rows)}),
     near as (
       select page.cid, asked.turn, ${DISTANCE} as distance
       from page, asked, lateral (select page.signs # asked.signs as differing offset 0) s
       where length(page.signs) = length(asked.signs)
       order by distance, page.cid limit $4)
     select (select count(*)::int from page) as read, (select max(cid) from page) as last,
       (select coalesce(jsonb_agg(to_jsonb(near)), '[]') from near) as near`,
    [projectId, method, asked, most, after],
  );
  return page ?? { read: 0, last: null, near: [] };
}

const EACH_PART = Array.from({ length: PARTS }, (_, part) => part);
const ASKED_PARTS = EACH_PART.map(
  (part) => `(value #>> '{parts,${part},mask}')::bit varying as mask${part},
         (value #>> '{parts,${part},weight}')::float8 as weight${part}`,
).join(', ');
const DISTANCE = EACH_PART.map((part) => `weight${part} * bit_count(differing & mask${part})`).join(' + ');

function byDistance(a: LikelyPair, b: LikelyPair): number {
  return a.distance - b.distance || (a.cid < b.cid ? -1 : 1);
}

function byCosine(a: NearRow, b: NearRow): number {
  return b.cosine - a.cosine || (a.cid < b.cid ? -1 : 1);
}

/** Keeps the order of `nearest`. Omits deleted content. */
export async function readCandidates(
  db: Queryable,
  projectId: string,
  { method, nearest }: { method: Method; nearest: readonly NearRow[] },
): Promise<Candidate[]> {
  if (nearest.length === 0) return [];
  const rows = await db.query<{ cid: string; type: string; evidence: string }>(
    `select named.cid, r.type, encode(d.evidence, 'base64') as evidence
     from unnest($3::text[]) as named(cid),
       lateral (select d.evidence from provenance.descriptor d
                where d.project_id = $1 and d.method = $2 and d.cid = named.cid offset 0) d,
       lateral (select r.type from provenance.resource r where r.project_id = $1 and r.cid = named.cid offset 0) r`,
    [projectId, method, [...new Set(nearest.map(({ cid }) => cid))]],
  );
  const facts = new Map(
    rows.map(({ cid, type, evidence }) => [cid, { type, evidence: Buffer.from(evidence, 'base64') }]),
  );
  return nearest.flatMap((near) => {
    const known = facts.get(near.cid);
    if (known === undefined) return [];
    const { cid, turn, cosine } = near;
    return [{ cid, turn, cosine, ...known }];
  });
}

export async function readTypes(
  db: Queryable,
  projectId: string,
  cids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (cids.length === 0) return new Map();
  const rows = await db.query<{ cid: string; type: string }>(
    'select r.cid, r.type from provenance.resource r where r.project_id = $1 and r.cid = any($2::text[])',
    [projectId, cids],
  );
  return new Map(rows.map(({ cid, type }) => [cid, type]));
}

function toWeighed(vector: Float32Array) {
  const order = Array.from(vector.keys()).sort((a, b) => Math.abs(vector[b] ?? 0) - Math.abs(vector[a] ?? 0));
  const parts = Array.from({ length: PARTS }, (_, part) => {
    const places = order.slice((order.length * part) / PARTS, (order.length * (part + 1)) / PARTS);
    const mask = new Array<string>(vector.length).fill('0');
    for (const place of places) mask[place] = '1';
    const sum = places.reduce((total, place) => total + Math.abs(vector[place] ?? 0), 0);
    return { mask: mask.join(''), weight: places.length === 0 ? 0 : sum / places.length };
  });
  return { signs: signsOf(vector), parts };
}

/** Words of 4 bytes before the elements: dimensions, nulls, type, length, lower bound. */
const HEAD_WORDS = 5;

/** Parses a `real[]` without nulls from base64 of `array_send`, big-endian. */
export function parseStoredVector(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64').swap32();
  const words = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  // The binary form has the length before each number.
  const vector = new Float32Array(Math.max(0, (words.length - HEAD_WORDS) / 2));
  for (let index = 0; index < vector.length; index++) vector[index] = words[HEAD_WORDS + 2 * index + 1] ?? 0;
  return vector;
}
