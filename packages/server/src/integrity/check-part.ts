import { type RecordKind, verifyRecordDigest } from '@colophon/model';
import { listStoredContents, type StoredContentRow } from '../records/read/stored-contents.sql.js';
import { checkEdges } from './check-edges.js';
import { findContentProblem } from './check-store.js';
import { checkTree } from './check-tree.js';
import type { CheckCounts, IntegrityDeps, IntegrityFinding, IntegrityVisit } from './deps.js';
import { countNewerContents, findOrphanedLeaves, listChecked } from './integrity.sql.js';

const RECORDS = 50;
const CONTENTS = 5;
/** A step ends with the content at which the total size reaches this limit, in bytes. */
const CONTENT_BYTES = 32 * 2 ** 20;
const LEAVES = 1_000;

export function checkPart(deps: IntegrityDeps, visit: IntegrityVisit): Promise<CheckCounts> {
  const { projectId, stage, after, size } = visit;
  switch (stage) {
    case 'edge':
      return checkEdges(deps, visit);
    case 'leaf':
      return checkLeaves(deps, projectId, { from: Number(after ?? 0), size });
    case 'node':
      return checkTree(deps, projectId, { from: Number(after ?? 0), size });
    case 'content':
      return checkContents(deps, visit);
    default:
      return checkRecords(deps, visit, stage);
  }
}

async function checkRecords(
  { provenance, rest }: IntegrityDeps,
  { projectId, after, size }: IntegrityVisit,
  kind: RecordKind,
): Promise<CheckCounts> {
  const records = await listChecked(provenance, projectId, { kind, after, size, limit: RECORDS });
  const newer = records.filter(({ isNewer }) => isNewer).length;
  const findings: IntegrityFinding[] = [];
  for (const { id, body, salts, digest, isLogged, isLinked } of records) {
    const finding = { projectId, kind, subject: id };
    if (!verifyRecordDigest(kind, body, salts, `sha256:${digest}`))
      findings.push({ ...finding, problem: 'altered' });
    if (!isLogged) findings.push({ ...finding, problem: 'unlogged' });
    if (!isLinked) findings.push({ ...finding, problem: 'unlinked' });
    await rest();
  }
  const last = records.at(-1);
  const isLast = last === undefined || (last.found < RECORDS && last.found === records.length);
  return { count: records.length, newer, findings, after: isLast ? undefined : last.id };
}

async function checkLeaves(
  { provenance }: IntegrityDeps,
  projectId: string,
  { from, size }: { from: number; size: number },
): Promise<CheckCounts> {
  const to = Math.min(from + LEAVES, size);
  const { count, missing, forsaken } = await findOrphanedLeaves(provenance, projectId, { from, to });
  const toFinding = (problem: 'missing' | 'unlogged') => (index: number) =>
    ({ projectId, kind: 'leaf', subject: String(index), problem }) as const;
  return {
    count,
    newer: 0,
    findings: [...missing.map(toFinding('missing')), ...forsaken.map(toFinding('unlogged'))],
    after: to < size ? String(to) : undefined,
  };
}

async function checkContents(
  { provenance, blobs, rest }: IntegrityDeps,
  { projectId, after = '', size }: IntegrityVisit,
): Promise<CheckCounts> {
  const listed = await listStoredContents(provenance, projectId, { after, limit: CONTENTS });
  const rows = takeStep(listed);
  const findings: IntegrityFinding[] = [];
  for (const row of rows) {
    const ref = { projectId, contentDigest: row.contentDigest };
    const problem = await findContentProblem(blobs, {
      ref,
      row,
      options: { quick: false, onProgress: rest },
    });
    // A store that is not durable may lose bytes. The loss is no finding if a pinned copy exists.
    if (problem === 'missing' && !blobs.durable && Object.keys(row.pinned).length > 0) continue;
    if (problem !== undefined) findings.push({ projectId, kind: 'content', subject: row.cid, problem });
  }
  const newer = await countNewerContents(provenance, projectId, { cids: rows.map(({ cid }) => cid), size });
  const isLast = rows.length === listed.length && listed.length < CONTENTS;
  return { count: rows.length, newer, findings, after: isLast ? undefined : rows.at(-1)?.cid };
}

function takeStep(listed: readonly StoredContentRow[]): StoredContentRow[] {
  let bytes = 0;
  return listed.filter(({ sizeBytes }) => {
    const isTaken = bytes < CONTENT_BYTES;
    bytes += sizeBytes;
    return isTaken;
  });
}
