import type { HistoryNode } from '../history/history.js';
import { isFlow } from '../history/visible-part.js';
import { type Bounds, CARD_HEIGHTS, CARD_WIDTH, KINDS } from '../layout/layout-input.js';
import { applyLine, toPath } from './canvas-surface.js';
import { isOutdated, strikeOf } from './draw-card.js';
import { type Showing, styleOf } from './draw-scene.js';
import { touches } from './node-grid.js';
import type { Scene } from './scene.js';
import type { Line } from './surface.js';

/** A part of a scene as a few paths, which a canvas draws much faster than single cards. */
export interface FarTile {
  extent: Bounds;
  flow: Path2D;
  parts: Path2D;
  /** Items that do not match the filter. */
  dimmed: Path2D;
  /** The cards of corrected steps, and the lines through them. */
  outdated?: { cards: Path2D; strikes: Path2D };
  nodes: Record<HistoryNode['kind'], Path2D>;
}

const DIMMED = 0.18;
const LINES = 0.6;
/** In screen pixels. */
export const STRIKE_PIXELS = 2;
/** In pixels at zoom 1. Few tiles are visible at a low zoom. */
const TILE = 4000;

/** The caller keeps the tiles until the scene or the filter changes. */
export function toFarTiles(
  { history, layout, lines, extents, boxOf }: Scene,
  lit: ReadonlySet<number> | undefined,
): FarTile[] {
  const tiles = new Map<string, FarTile>();
  const isLit = (node: number) => lit?.has(node) ?? true;
  for (const [edge, { from, to, kind }] of history.edges.entries()) {
    const extent = extents[edge];
    if (layout.quiet[edge] === 1 || extent === undefined) continue;
    const { flow, parts, dimmed } = tileOf(tiles, extent);
    toPath(lines[edge] ?? [], !isLit(from) || !isLit(to) ? dimmed : isFlow(kind) ? flow : parts);
  }
  for (const [place, node] of history.nodes.entries()) {
    const box = boxOf(place);
    const tile = tileOf(tiles, box);
    const path = isLit(place) ? litPathOf(tile, node, box) : tile.dimmed;
    path.rect(box.left, box.top, CARD_WIDTH, CARD_HEIGHTS[node.kind]);
  }
  return [...tiles.values()];
}

function litPathOf(tile: FarTile, node: HistoryNode, box: Bounds): Path2D {
  if (!isOutdated(node)) return tile.nodes[node.kind];
  tile.outdated ??= { cards: new Path2D(), strikes: new Path2D() };
  toPath(strikeOf(box), tile.outdated.strikes);
  return tile.outdated.cards;
}

/** Returns the tile of the upper left corner of an item, and extends it over the item. */
function tileOf(tiles: Map<string, FarTile>, { left, top, right, bottom }: Bounds): FarTile {
  const key = `${Math.floor(left / TILE)},${Math.floor(top / TILE)}`;
  const nodes = () => ({
    resource: new Path2D(),
    action: new Path2D(),
    entity: new Path2D(),
    tool: new Path2D(),
    group: new Path2D(),
  });
  const tile = tiles.get(key) ?? {
    extent: { left, top, right, bottom },
    ...{ flow: new Path2D(), parts: new Path2D(), dimmed: new Path2D(), nodes: nodes() },
  };
  tile.extent = {
    left: Math.min(tile.extent.left, left),
    top: Math.min(tile.extent.top, top),
    right: Math.max(tile.extent.right, right),
    bottom: Math.max(tile.extent.bottom, bottom),
  };
  tiles.set(key, tile);
  return tile;
}

/** All lines are one pixel wide at every zoom, except the line of `STRIKE_PIXELS` through a corrected step. */
export function drawAfar(
  context: CanvasRenderingContext2D,
  tiles: readonly FarTile[],
  { palette, area, zoom }: Pick<Showing, 'palette' | 'area'> & { zoom: number },
): void {
  const shown = tiles.filter(({ extent }) => touches(extent, area));
  const lineWidth = 1 / zoom;
  const stroke = (line: Line, path: 'flow' | 'parts' | 'dimmed') => {
    applyLine(context, { ...line, lineWidth, dash: [] });
    for (const tile of shown) context.stroke(tile[path]);
  };
  context.globalAlpha = DIMMED;
  stroke(styleOf('consumes', palette), 'dimmed');
  context.globalAlpha = LINES;
  stroke(styleOf('consumes', palette), 'flow');
  stroke(styleOf('performedBy', palette), 'parts');
  context.globalAlpha = 1;
  for (const kind of KINDS) {
    context.fillStyle = palette.kinds[kind].edge;
    for (const { nodes } of shown) context.fill(nodes[kind]);
  }
  drawOutdated(context, shown, { palette, zoom });
}

function drawOutdated(
  context: CanvasRenderingContext2D,
  tiles: readonly FarTile[],
  { palette, zoom }: Pick<Showing, 'palette'> & { zoom: number },
): void {
  const edge = { stroke: palette.soft, lineWidth: 1 / zoom };
  context.fillStyle = palette.paper;
  for (const { outdated } of tiles) {
    if (outdated === undefined) continue;
    context.fill(outdated.cards);
    applyLine(context, edge);
    context.stroke(outdated.cards);
    applyLine(context, { ...edge, lineWidth: STRIKE_PIXELS / zoom });
    context.stroke(outdated.strikes);
  }
}
