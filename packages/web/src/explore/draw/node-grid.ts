import type { Bounds } from '../layout/layout-input.js';

export interface NodeGrid {
  within(area: Bounds): number[];
  at(point: { x: number; y: number }): number | undefined;
}

const CELL = 400;

/** A node is in every cell of the grid that its card touches. */
export function createNodeGrid(count: number, boxOf: (node: number) => Bounds): NodeGrid {
  const cells = new Map<string, number[]>();
  const keysOf = ({ left, top, right, bottom }: Bounds) => {
    const keys: string[] = [];
    for (let column = Math.floor(left / CELL); column <= Math.floor(right / CELL); column++)
      for (let row = Math.floor(top / CELL); row <= Math.floor(bottom / CELL); row++)
        keys.push(`${column},${row}`);
    return keys;
  };
  for (let node = 0; node < count; node++) {
    for (const key of keysOf(boxOf(node))) {
      const cell = cells.get(key);
      if (cell === undefined) cells.set(key, [node]);
      else cell.push(node);
    }
  }
  return {
    within(area) {
      const columns = (area.right - area.left) / CELL + 2;
      const rows = (area.bottom - area.top) / CELL + 2;
      // If the area covers more cells than the grid has, a loop over the nodes is cheaper.
      if (columns * rows > cells.size)
        return Array.from({ length: count }, (_, node) => node).filter((node) => touches(boxOf(node), area));
      return [...new Set(keysOf(area).flatMap((key) => cells.get(key) ?? []))].filter((node) =>
        touches(boxOf(node), area),
      );
    },
    at({ x, y }) {
      const point = { left: x, top: y, right: x, bottom: y };
      return keysOf(point)
        .flatMap((key) => cells.get(key) ?? [])
        .find((node) => touches(boxOf(node), point));
    },
  };
}

export function touches(a: Bounds, b: Bounds): boolean {
  return a.left <= b.right && a.right >= b.left && a.top <= b.bottom && a.bottom >= b.top;
}
