import type { HistoryNode } from '../history/history.js';
import { CARD_HEIGHTS, CARD_WIDTH, KINDS } from '../layout/layout-input.js';
import { applyLine, toPath } from './canvas-surface.js';
import { type Showing, styleOf } from './draw-scene.js';
import type { Scene } from './scene.js';

/** Everything of a scene as a few paths, which a canvas draws many times faster than card by card. */
export interface FarPaths {
  flow: Path2D;
  parts: Path2D;
  /** Those that a filter leaves out. */
  dimmed: Path2D;
  nodes: Record<HistoryNode['kind'], Path2D>;
}

const DIMMED = 0.18;

/** Made once for each scene and filter. */
export function toFarPaths(
  { history, layout, lines, boxOf }: Scene,
  lit: ReadonlySet<number> | undefined,
): FarPaths {
  const nodes = { resource: new Path2D(), action: new Path2D(), entity: new Path2D(), tool: new Path2D() };
  const paths = { flow: new Path2D(), parts: new Path2D(), dimmed: new Path2D(), nodes };
  const isLit = (node: number) => lit?.has(node) ?? true;
  for (const [edge, { from, to, kind }] of history.edges.entries()) {
    if (layout.quiet[edge] === 1) continue;
    const isFlow = kind === 'consumes' || kind === 'produces';
    const path = !isLit(from) || !isLit(to) ? paths.dimmed : isFlow ? paths.flow : paths.parts;
    toPath(lines[edge] ?? [], path);
  }
  for (const [node, { kind }] of history.nodes.entries()) {
    const { left, top } = boxOf(node);
    const path = isLit(node) ? nodes[kind] : paths.dimmed;
    path.rect(left, top, CARD_WIDTH, CARD_HEIGHTS[kind]);
  }
  return paths;
}

/** Draws these paths; lines are one pixel wide however far away they are. */
export function drawAfar(
  context: CanvasRenderingContext2D,
  paths: FarPaths,
  { palette, zoom }: Pick<Showing, 'palette'> & { zoom: number },
): void {
  const lineWidth = 1 / zoom;
  context.globalAlpha = DIMMED;
  applyLine(context, { stroke: palette.edge, lineWidth });
  context.stroke(paths.dimmed);
  context.globalAlpha = 0.6;
  applyLine(context, { ...styleOf('consumes', palette), lineWidth, dash: [] });
  context.stroke(paths.flow);
  applyLine(context, { ...styleOf('performedBy', palette), lineWidth, dash: [] });
  context.stroke(paths.parts);
  context.globalAlpha = 1;
  for (const kind of KINDS) {
    context.fillStyle = palette.kinds[kind].edge;
    context.fill(paths.nodes[kind]);
  }
}
