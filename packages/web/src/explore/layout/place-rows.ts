/**
 * Places items in their order, as near as possible to `wanted` (least squares). `gaps[i]`: minimum distance between
 * items i - 1 and i.
 */
export function placeRows(wanted: readonly number[], gaps: readonly number[]): number[] {
  const offsets: number[] = [];
  let offset = 0;
  for (const gap of gaps.slice(0, wanted.length)) {
    offset += offsets.length === 0 ? 0 : gap;
    offsets.push(offset);
  }
  const blocks: { sum: number; count: number }[] = [];
  for (const [index, want] of wanted.entries()) {
    blocks.push({ sum: want - (offsets[index] ?? 0), count: 1 });
    for (let last = blocks.at(-1); last !== undefined; last = blocks.at(-1)) {
      const before = blocks.at(-2);
      if (before === undefined || before.sum / before.count <= last.sum / last.count) break;
      blocks.pop();
      before.sum += last.sum;
      before.count += last.count;
    }
  }
  const placed = blocks.flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count));
  return placed.map((place, index) => place + (offsets[index] ?? 0));
}
