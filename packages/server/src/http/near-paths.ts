/** The methods of documented paths, such as `/v1/entity/:id`. */
export type Paths = ReadonlyMap<string, ReadonlySet<string>>;

const MAX_NEAR = 3;
/** Edits that a near path may be away, in characters; a whole segment counts as two. */
const MAX_EDITS = 3;
const SEGMENT_EDITS = 2;
/** A longer path is no slip of the pen, and is not compared. */
const MAX_COMPARED_LENGTH = 200;
const MAX_COMPARED_SEGMENTS = 10;

/** The operations whose path is nearest to one that no route has, as `POST /v1/activity`; the nearest first. */
export function findNear(paths: Paths, { method, path }: { method: string; path: string }): string[] {
  const asked = toSegments(path);
  if (path.length > MAX_COMPARED_LENGTH || asked.length > MAX_COMPARED_SEGMENTS) return [];
  const known = new Map<string, number>();
  return [...paths]
    .flatMap(([url, methods]) => {
      const edits = pathEdits(asked, toSegments(url), known);
      const shown = methods.has(method) ? [method] : [...methods].filter((one) => one !== 'HEAD').sort();
      const rank = edits + (methods.has(method) ? 0 : SEGMENT_EDITS);
      return edits > MAX_EDITS ? [] : [{ rank, text: `${shown.join(', ')} ${url}` }];
    })
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_NEAR)
    .map(({ text }) => text);
}

const toSegments = (path: string) => path.split('/').filter((segment) => segment !== '');

/** What must be changed of a path until it fits a pattern, whose parameters fit any segment. */
function pathEdits(asked: readonly string[], pattern: readonly string[], known: Map<string, number>): number {
  return distance(asked, pattern, (segment, part) => {
    if (part.startsWith(':')) return 0;
    const pair = `${segment} ${part}`;
    const edits = known.get(pair) ?? segmentEdits(segment, part);
    known.set(pair, edits);
    return edits;
  });
}

function segmentEdits(a: string, b: string): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > MAX_EDITS) return MAX_EDITS + 1;
  return distance([...a], [...b], (x, y) => (x === y ? 0 : 1), 1);
}

/** Levenshtein's distance of two lists; to leave out or add a part costs `gap`. */
function distance(
  from: readonly string[],
  to: readonly string[],
  cost: (a: string, b: string) => number,
  gap = SEGMENT_EDITS,
): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index * gap);
  for (const [index, part] of from.entries()) {
    const next = [(index + 1) * gap];
    for (const [at, other] of to.entries()) {
      const kept = (row[at] ?? 0) + cost(part, other);
      next.push(Math.min(kept, (row[at + 1] ?? 0) + gap, (next[at] ?? 0) + gap));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
