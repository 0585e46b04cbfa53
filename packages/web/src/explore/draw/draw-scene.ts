import type { EdgeKind } from '../history/history.js';
import { isFlow } from '../history/visible-part.js';
import type { Bounds } from '../layout/layout-input.js';
import { type Card, drawCard, drawPlainCard, type Words } from './draw-card.js';
import { touches } from './node-grid.js';
import type { Palette } from './palette.js';
import type { Marks, Scene } from './scene.js';
import type { Line, Surface } from './surface.js';

export interface Showing {
  scene: Scene;
  marks: Marks;
  palette: Palette;
  area: Bounds;
  /** Undefined when no text fits. */
  words: Words | undefined;
  thumbnailOf: (node: number) => ImageBitmap | undefined;
}

/** Opacity of items that do not match the filter. */
const DIMMED = 0.18;
/** About 2 pixels on the screen, at a zoom for shapes without text. */
const STRIKE_WIDTH = 8;
const NO_NODE = -1;

export function drawScene(surface: Surface, showing: Showing): void {
  const { lit } = showing.marks;
  const chosen = chosenEdges(showing);
  inTwoShades(surface, edgesIn(showing, chosen), {
    isLit: (edge) => isEdgeLit(showing, edge),
    draw: (edge) => drawEdge(surface, showing, edge),
  });
  inTwoShades(surface, showing.scene.grid.within(showing.area), {
    isLit: (node) => lit?.has(node) ?? true,
    draw: (node) => drawNode(surface, showing, node),
  });
  drawChosen(surface, showing, chosen);
}

function inTwoShades(
  surface: Surface,
  items: readonly number[],
  { isLit, draw }: { isLit: (item: number) => boolean; draw: (item: number) => void },
): void {
  surface.fade(DIMMED);
  for (const item of items) if (!isLit(item)) draw(item);
  surface.fade(1);
  for (const item of items) if (isLit(item)) draw(item);
}

/** Returns the edges of the selected node and of the node under the pointer. */
export function chosenEdges({ scene, marks }: Showing): Set<number> {
  return new Set([marks.selected, marks.hovered].flatMap((node) => scene.edgesOf[node ?? NO_NODE] ?? []));
}

export function drawChosen(surface: Surface, { scene, palette }: Showing, chosen: ReadonlySet<number>): void {
  surface.fade(1);
  for (const edge of chosen) {
    const line = scene.lines[edge] ?? [];
    surface.curve(line, { stroke: palette.accent, lineWidth: 2.5 });
    surface.arrow(endOf(line), palette.accent);
  }
}

function endOf(line: readonly number[]): { x: number; y: number } {
  return { x: line.at(-2) ?? 0, y: line.at(-1) ?? 0 };
}

function edgesIn({ scene, area }: Showing, chosen: ReadonlySet<number>): number[] {
  return [...scene.lines.keys()].filter(
    (edge) =>
      scene.layout.quiet[edge] !== 1 && !chosen.has(edge) && touches(scene.extents[edge] ?? area, area),
  );
}

function drawEdge(surface: Surface, { scene, palette, words }: Showing, edge: number): void {
  const kind = scene.history.edges[edge]?.kind ?? 'consumes';
  const [line, style] = [scene.lines[edge] ?? [], styleOf(kind, palette)];
  surface.curve(line, style);
  if (words !== undefined && isFlow(kind)) surface.arrow(endOf(line), style.stroke);
}

function drawNode(surface: Surface, showing: Showing, node: number): void {
  const card = toCard(showing, node);
  if (card === undefined) return;
  if (showing.words !== undefined)
    drawCard(surface, card, { palette: showing.palette, words: showing.words });
  else drawPlainCard(surface, card, { palette: showing.palette, strikeWidth: STRIKE_WIDTH });
}

function isEdgeLit({ scene, marks: { lit } }: Showing, edge: number): boolean {
  const { from = NO_NODE, to = NO_NODE } = scene.history.edges[edge] ?? {};
  return lit === undefined || (lit.has(from) && lit.has(to));
}

/** Solid for inputs and outputs, dashed for people and tools. */
export function styleOf(kind: EdgeKind, palette: Palette): Line {
  return isFlow(kind)
    ? { stroke: palette.edge, lineWidth: 1.6 }
    : { stroke: palette.part, lineWidth: 1.3, dash: kind === 'credits' ? [2, 4] : [5, 4] };
}

export function toCard({ scene, marks, words, thumbnailOf }: Showing, node: number): Card | undefined {
  const { history, labels, boxOf } = scene;
  const [shown, label] = [history.nodes[node], labels[node]];
  if (shown === undefined || label === undefined) return undefined;
  return {
    node: shown,
    label,
    bounds: boxOf(node),
    isFocus: node === history.focus,
    isSelected: node === marks.selected,
    isFound: marks.found.has(node),
    hidden: marks.hidden.get(shown.id) ?? 0,
    thumbnail: words === undefined ? undefined : thumbnailOf(node),
  };
}
