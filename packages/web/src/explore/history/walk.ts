import type { Scene } from '../draw/scene.js';

export type Direction = 'left' | 'right' | 'up' | 'down';

/** Left and right follow the edges. Up and down stay in the column. */
export function nextNode(scene: Scene, from: number, direction: Direction): number | undefined {
  const { x, y } = scene.layout;
  const [left, top] = [x[from] ?? 0, y[from] ?? 0];
  const candidates =
    direction === 'left' || direction === 'right'
      ? neighbours(scene, from, direction)
      : sameColumn(scene, from);
  const sign = direction === 'up' ? -1 : 1;
  const distances = candidates.flatMap((node) => {
    const [across, along] = [Math.abs((x[node] ?? 0) - left), (y[node] ?? 0) - top];
    const isAside = direction === 'up' || direction === 'down';
    if (isAside && along * sign <= 0) return [];
    return [{ node, distance: Math.abs(along) + (isAside ? 0 : across) }];
  });
  return distances.sort((a, b) => a.distance - b.distance)[0]?.node;
}

function neighbours({ history, edgesOf }: Scene, from: number, direction: 'left' | 'right'): number[] {
  return (edgesOf[from] ?? []).flatMap((index) => {
    const edge = history.edges[index];
    if (edge === undefined) return [];
    if (direction === 'left') return edge.to === from ? [edge.from] : [];
    return edge.from === from ? [edge.to] : [];
  });
}

function sameColumn({ layout: { x } }: Scene, from: number): number[] {
  return Array.from(x.keys()).filter((node) => x[node] === x[from] && node !== from);
}
