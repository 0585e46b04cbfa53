import { type Camera, hiddenSides, type Side, type Size } from './camera.js';
import type { Palette } from './palette.js';
import type { Scene } from './scene.js';
import { AXIS_HEIGHT } from './time-axis.js';

/** Width of the faded strip along an edge, in pixels. */
const FADE = 36;
/** In pixels. */
const ARROW = 7;
const ARROW_FROM_EDGE = 8;

/** Quarter turns that move the left edge to each side. */
const TURNS: Readonly<Record<Side, number>> = { left: 0, top: 1, right: 2, bottom: 3 };

interface Edges {
  scene: Scene;
  camera: Camera;
  view: Size;
  palette: Palette;
}

/** Marks each edge beyond which the picture goes on. */
export function drawEdges(context: CanvasRenderingContext2D, { scene, camera, view, palette }: Edges): void {
  const { width } = view;
  const height = view.height - AXIS_HEIGHT;
  const below = { ...camera, y: camera.y + AXIS_HEIGHT / camera.zoom };
  for (const side of hiddenSides(below, { width, height }, scene.layout.bounds)) {
    const isAcross = side === 'left' || side === 'right';
    const [reach, length] = isAcross ? [width, height] : [height, width];
    context.save();
    context.translate(width / 2, AXIS_HEIGHT + height / 2);
    context.rotate((TURNS[side] * Math.PI) / 2);
    context.translate(-reach / 2, 0);
    drawLeftEdge(context, length, palette);
    context.restore();
  }
}

/** The middle of the edge is at x = 0, y = 0. */
function drawLeftEdge(context: CanvasRenderingContext2D, length: number, palette: Palette): void {
  const steps = 6;
  context.fillStyle = palette.paper;
  // Draws steps, because a gradient needs a transparent variant of the paper colour.
  context.globalAlpha = 0.4;
  for (let step = 1; step <= steps; step++) context.fillRect(0, -length / 2, (FADE * step) / steps, length);
  context.globalAlpha = 1;
  context.beginPath();
  context.moveTo(ARROW_FROM_EDGE + ARROW, -ARROW);
  context.lineTo(ARROW_FROM_EDGE, 0);
  context.lineTo(ARROW_FROM_EDGE + ARROW, ARROW);
  context.strokeStyle = palette.accent;
  context.lineWidth = 2.5;
  context.setLineDash([]);
  context.stroke();
}
