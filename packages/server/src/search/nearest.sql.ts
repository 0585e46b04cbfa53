import type { Queryable } from '../platform/db/database.js';
import type { Candidate, Described, Method } from './descriptor.js';
import { dot, signsOf } from './vector.js';

/**
 * Minimum number of pairs of a stored and a requested vector whose cosine is computed. The ten nearest are almost
 * always among them.
 */
const LIKELY = 256;
/**
 * Number of weight classes: the numbers of the requested vector are divided into classes of equal size, largest
 * numbers first.
 */
const PARTS = 4;

/** A pair of a stored and a requested vector. */
export interface NearRow {
  cid: string;
  turn: number;
  cosine: number;
}

/**
 * Reads the content of the project that is nearest to the requested vectors, nearest first, once for each near
 * rotation.
 */
export async function readNearest(
  db: Queryable,
  projectId: string,
  { described: { method, turned }, limit }: { described: Described; limit: number },
): Promise<Candidate[]> {
  const nearest = await readNearestNames(db, projectId, { method, turned, limit });
  return readCandidates(db, projectId, { method, nearest });
}

/** Reads the names and the cosines of the nearest vectors. */
export async function readNearestNames(
  db: Queryable,
  projectId: string,
  { method, turned, limit }: Pick<Described, 'method' | 'turned'> & { limit: number },
): Promise<NearRow[]> {
  const rows = await db.query<{ cid: string; turn: number; vector: string }>(
    'select cid, turn, vector from provenance.likely_near($1, $2, $3::jsonb, $4)',
    [projectId, method, JSON.stringify(turned.map(toWeighed)), Math.max(LIKELY, 8 * limit)],
  );
  const near = rows.map(({ cid, turn, vector }) => ({
    cid,
    turn,
    cosine: dot(parseStoredVector(vector), turned[turn] ?? []),
  }));
  return near.sort(byCosine).slice(0, limit);
}

function byCosine(a: NearRow, b: NearRow): number {
  return b.cosine - a.cosine || (a.cid < b.cid ? -1 : 1);
}

/** Reads the types and the evidence of the candidates, in the order of `nearest`. Deleted content is left out. */
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

/** Reads the types of these contents. Absent content has no entry. */
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

/** Converts a vector to the form of `likely_near`. */
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

/** Words of 4 bytes before the elements of a binary array: dimensions, nulls, type, length, lower bound. */
const HEAD_WORDS = 5;

/** Parses a `real[]` without nulls from base64 of PostgreSQL's binary form (`array_send`), big-endian. */
export function parseStoredVector(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64').swap32();
  const words = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  // The binary form has the length before each number.
  const vector = new Float32Array(Math.max(0, (words.length - HEAD_WORDS) / 2));
  for (let index = 0; index < vector.length; index++) vector[index] = words[HEAD_WORDS + 2 * index + 1] ?? 0;
  return vector;
}
