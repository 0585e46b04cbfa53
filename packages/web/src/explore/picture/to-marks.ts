import type { Marks } from '../draw/scene.js';
import type { Drawn } from './use-drawn.js';

/** In the picture, a group replaces its members. */
export function toMarks(
  { full, scene, groupOf }: Pick<Drawn, 'full' | 'scene' | 'groupOf'>,
  {
    lit,
    found,
    hidden,
    selectedId,
    hovered,
  }: {
    lit: ReadonlySet<number> | undefined;
    found: readonly number[];
    hidden: Marks['hidden'];
    selectedId: string | undefined;
    hovered: number | undefined;
  },
): Marks {
  const placeOf = new Map(scene?.history.nodes.map(({ id }, index) => [id, index]));
  const drawnOf = (id: string | undefined) =>
    id === undefined ? undefined : (placeOf.get(id) ?? placeOf.get(groupOf.get(id) ?? ''));
  const toDrawn = (nodes: Iterable<number>) =>
    new Set([...nodes].flatMap((node) => drawnOf(full.history.nodes[node]?.id) ?? []));
  return {
    lit: lit && toDrawn(lit),
    found: toDrawn(found),
    hidden,
    selected: drawnOf(selectedId),
    hovered,
  };
}
