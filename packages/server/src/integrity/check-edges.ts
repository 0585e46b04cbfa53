import type { CheckCounts, IntegrityDeps, IntegrityVisit } from './deps.js';
import { type CheckedEdge, type EdgeDirection, listEdges } from './integrity.sql.js';

const EDGES = 500;

/** Checks the edges of inputs first, then the edges of outputs. */
export async function checkEdges(
  { provenance }: IntegrityDeps,
  { projectId, after, size }: IntegrityVisit,
): Promise<CheckCounts> {
  const [way, cid = '', actionId = ''] = (after?.split(' ') ?? ['in']) as [EdgeDirection, string?, string?];
  const last = cid === '' ? undefined : { cid, actionId };
  const edges = await listEdges(provenance, projectId, { way, after: last, size, limit: EDGES });
  const findings = edges
    .filter(({ isSaid }) => !isSaid)
    .map((edge) => ({ projectId, kind: 'edge', subject: nameOf(edge), problem: 'unlinked' }) as const);
  const newer = edges.filter(({ isNewer }) => isNewer).length;
  return { count: edges.length, newer, findings, after: nextAfter(way, edges) };
}

/** The position `out` is the start of the edges of outputs. */
export function isOfInputs({ stage, after }: IntegrityVisit): boolean {
  return stage === 'edge' && after?.startsWith('out') !== true;
}

function nextAfter(way: EdgeDirection, edges: readonly CheckedEdge[]): string | undefined {
  const last = edges.at(-1);
  const hasMore = last !== undefined && (last.found === EDGES || last.found > edges.length);
  if (hasMore) return `${way} ${nameOf(last)}`;
  return way === 'in' ? 'out' : undefined;
}

function nameOf({ cid, actionId }: CheckedEdge): string {
  return `${cid} ${actionId}`;
}
