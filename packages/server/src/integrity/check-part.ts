import { type RecordKind, verifyRecordDigest } from '@colophon/model';
import { listStoredContents } from '../records/read/stored-contents.sql.js';
import { checkEdges } from './check-edges.js';
import { findContentProblem } from './check-store.js';
import { checkTree } from './check-tree.js';
import type { CheckCounts, IntegrityCursor, IntegrityDeps, IntegrityFinding } from './deps.js';
import { findOrphanedLeaves, listChecked } from './integrity.sql.js';

/** Maximum number of records per step. */
const RECORDS = 50;
/** Maximum number of contents per step. */
const CONTENTS = 5;
/** Maximum number of leaves per step. */
const LEAVES = 1_000;

export function checkPart(
  deps: IntegrityDeps,
  { projectId, stage, after }: IntegrityCursor,
): Promise<CheckCounts> {
  switch (stage) {
    case 'edge':
      return checkEdges(deps, projectId, after);
    case 'leaf':
      return checkLeaves(deps, projectId, Number(after ?? 0));
    case 'node':
      return checkTree(deps, projectId, Number(after ?? 0));
    case 'content':
      return checkContents(deps, projectId, after);
    default:
      return checkRecords(deps, projectId, { kind: stage, after });
  }
}

/** Checks that each record matches its digest, its leaf in the log and its index columns. */
async function checkRecords(
  { provenance, rest }: IntegrityDeps,
  projectId: string,
  { kind, after }: { kind: RecordKind; after: string | undefined },
): Promise<CheckCounts> {
  const records = await listChecked(provenance, projectId, { kind, after, limit: RECORDS });
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
  return { count: records.length, findings, after: isLast ? undefined : last.id };
}

async function checkLeaves(
  { provenance }: IntegrityDeps,
  projectId: string,
  from: number,
): Promise<CheckCounts> {
  const { count, missing, forsaken } = await findOrphanedLeaves(provenance, projectId, {
    from,
    limit: LEAVES,
  });
  const toFinding = (problem: 'missing' | 'unlogged') => (index: number) =>
    ({ projectId, kind: 'leaf', subject: String(index), problem }) as const;
  return {
    count,
    findings: [...missing.map(toFinding('missing')), ...forsaken.map(toFinding('unlogged'))],
    after: count + missing.length < LEAVES ? undefined : String(from + LEAVES),
  };
}

async function checkContents(
  { provenance, blobs, rest }: IntegrityDeps,
  projectId: string,
  after = '',
): Promise<CheckCounts> {
  const rows = await listStoredContents(provenance, projectId, { after, limit: CONTENTS });
  const findings: IntegrityFinding[] = [];
  for (const row of rows) {
    const ref = { projectId, contentDigest: row.contentDigest };
    const problem = await findContentProblem(blobs, {
      ref,
      row,
      options: { quick: false, onProgress: rest },
    });
    // A store that is not durable may lose bytes. This is no finding if a pinned copy can replace them.
    if (problem === 'missing' && !blobs.durable && Object.keys(row.pinned).length > 0) continue;
    if (problem !== undefined) findings.push({ projectId, kind: 'content', subject: row.cid, problem });
  }
  return { count: rows.length, findings, after: nextOf(rows, CONTENTS)?.cid };
}

/** Returns the last row if more rows may follow. */
function nextOf<Row>(rows: readonly Row[], limit: number): Row | undefined {
  return rows.length < limit ? undefined : rows.at(-1);
}
