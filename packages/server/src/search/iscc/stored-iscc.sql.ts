import { composeIscc, type IsccMedium, type IsccUnit } from '@colophon/model';
import type { Queryable } from '../../platform/db/database.js';

export interface StoredIscc {
  cid: string;
  type: string;
  code: string;
  /** The Content-Code, if the content has one, then the Data-Code and the Instance-Code. */
  units: IsccUnit[];
}

/** Replaces an earlier ISCC. `units` has at least Data-Code and Instance-Code. */
export async function writeIscc(
  db: Queryable,
  projectId: string,
  { cid, units }: { cid: string; units: readonly IsccUnit[] },
): Promise<void> {
  const [content, data, instance] = (['content', 'data', 'instance'] as const).map((mainType) =>
    units.find((unit) => unit.mainType === mainType),
  );
  await db.query(
    `insert into provenance.iscc (project_id, cid, code, medium, content, data, instance)
     values ($1, provenance.resolve($1, $2), $3, $4, ('x' || $5)::bit varying, decode($6, 'hex'), decode($7, 'hex'))
     on conflict (project_id, cid) do update set code = excluded.code, medium = excluded.medium,
       content = excluded.content, data = excluded.data, instance = excluded.instance`,
    [
      projectId,
      cid,
      composeIscc(units),
      content?.medium ?? '',
      ...[content, data, instance].map((unit) => toHex(unit?.digest ?? new Uint8Array())),
    ],
  );
}

export async function hasIscc(db: Queryable, projectId: string, cid: string): Promise<boolean> {
  const rows = await db.query(
    `select i.cid from provenance.iscc i where i.project_id = $1 and i.cid = provenance.resolve($1, $2)`,
    [projectId, cid],
  );
  return rows.length > 0;
}

/** Contents without an ISCC are absent. */
export async function readIscc(
  db: Queryable,
  projectId: string,
  cids: readonly string[],
): Promise<StoredIscc[]> {
  if (cids.length === 0) return [];
  const rows = await db.query<IsccRow>(
    `select i.cid, r.type, i.code, i.medium, i.content::text as content, encode(i.data, 'hex') as data,
       encode(i.instance, 'hex') as instance
     from unnest($2::text[]) as named(cid),
       lateral (select i.* from provenance.iscc i where i.project_id = $1 and i.cid = named.cid offset 0) i,
       lateral (select r.type from provenance.resource r where r.project_id = $1 and r.cid = named.cid offset 0) r`,
    [projectId, cids],
  );
  return rows.map(toStored);
}

/** Lists contents whose Instance-Code begins with these bytes, at most `limit`. */
export async function listInstances(
  db: Queryable,
  projectId: string,
  { instance, limit }: { instance: Uint8Array; limit: number },
): Promise<string[]> {
  const last = new Uint8Array(INSTANCE_BYTES).fill(0xff);
  last.set(instance);
  const rows = await db.query<{ cid: string }>(
    `select i.cid from provenance.iscc i
     where i.project_id = $1 and i.instance between decode($2, 'hex') and decode($3, 'hex') order by i.cid limit $4`,
    [projectId, toHex(instance), toHex(last), limit],
  );
  return rows.map(({ cid }) => cid);
}

const INSTANCE_BYTES = 32;

/** `maxDistance`: largest number of different bits. */
export interface NearIscc {
  medium: IsccMedium;
  digest: Uint8Array;
  maxDistance: number;
}

/** `compared`: number of compared codes. `near`: nearest first. */
export interface NearPage {
  compared: number;
  near: { cid: string; distance: number }[];
  next: string | undefined;
}

/**
 * Compares the next `limit` Content-Codes of the medium after a CID, in as many bits as the searched code has. Returns
 * at most `maxNear` near Content-Codes.
 */
export async function comparePage(
  db: Queryable,
  projectId: string,
  {
    medium,
    digest,
    maxDistance,
    after,
    limit,
    maxNear,
  }: NearIscc & {
    after: string;
    limit: number;
    maxNear: number;
  },
): Promise<NearPage> {
  const [row] = await db.query<{ compared: number; last: string | null; near: NearPage['near'] }>(
    `with page as materialized (
       select i.cid, bit_count(substring(i.content from 1 for $4) # ('x' || $3)::bit varying)::int as distance
       from (select i.cid, i.content from provenance.iscc i
             where i.project_id = $1 and i.medium = $2 and i.cid > $6 order by i.cid limit $7) i),
     near as (select cid, distance from page where distance <= $5 order by distance, cid limit $8)
     select (select count(*)::int from page) as compared, (select max(cid) from page) as last,
       (select coalesce(jsonb_agg(jsonb_build_object('cid', cid, 'distance', distance)), '[]') from near) as near`,
    [projectId, medium, toHex(digest), digest.length * 8, maxDistance, after, limit, maxNear],
  );
  const { compared, last, near } = row ?? { compared: 0, last: null, near: [] };
  return { compared, near, next: compared < limit || last === null ? undefined : last };
}

interface IsccRow extends Omit<StoredIscc, 'units'> {
  medium: IsccMedium | '';
  content: string;
  data: string;
  instance: string;
}

function toStored({ medium, content, data, instance, ...shown }: IsccRow): StoredIscc {
  const units: IsccUnit[] = [
    { mainType: 'data', digest: fromHex(data) },
    { mainType: 'instance', digest: fromHex(instance) },
  ];
  if (medium !== '') units.unshift({ mainType: 'content', medium, digest: fromBits(content) });
  return { ...shown, units };
}

const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const fromHex = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
const fromBits = (bits: string) =>
  Uint8Array.from({ length: bits.length / 8 }, (_, at) => Number.parseInt(bits.slice(8 * at, 8 * at + 8), 2));
