import {
  arrowCorners,
  type Box,
  coverOf,
  curveSegments,
  type Fill,
  type Line,
  type Surface,
  type TextStyle,
} from './surface.js';

/** System fonts, so that the page downloads none. */
export const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';

export function createCanvasSurface(context: CanvasRenderingContext2D): Surface {
  return {
    box: (box, style) => drawBox(context, box, style),
    text: (text, at, style) => drawText(context, text, { ...at, ...style }),
    curve(points, style) {
      applyLine(context, style);
      context.stroke(toPath(points));
      context.setLineDash([]);
    },
    arrow(at, color) {
      const [x = 0, y = 0, ...others] = arrowCorners(at);
      context.beginPath();
      context.moveTo(x, y);
      for (let index = 0; index < others.length; index += 2)
        context.lineTo(others[index] ?? 0, others[index + 1] ?? 0);
      context.fillStyle = color;
      context.fill();
    },
    fade(share) {
      context.globalAlpha = share;
    },
    picture(box, bitmap) {
      const part = coverOf(bitmap, box);
      context.drawImage(bitmap, part.x, part.y, part.width, part.height, box.x, box.y, box.width, box.height);
    },
  };
}

function drawBox(
  context: CanvasRenderingContext2D,
  box: Box,
  { fill, stroke, lineWidth = 1, radius = 0, dash }: Fill,
) {
  context.beginPath();
  if (radius === 0) context.rect(box.x, box.y, box.width, box.height);
  else context.roundRect(box.x, box.y, box.width, box.height, radius);
  if (fill !== undefined) {
    context.fillStyle = fill;
    context.fill();
  }
  if (stroke !== undefined) {
    applyLine(context, { stroke, lineWidth, dash });
    context.stroke();
    context.setLineDash([]);
  }
}

function drawText(
  context: CanvasRenderingContext2D,
  text: string,
  { x, y, width, color, size, isBold, isCentred }: TextStyle & { x: number; y: number; width: number },
) {
  context.font = `${isBold ? '600 ' : ''}${size}px ${FONT}`;
  context.fillStyle = color;
  context.textBaseline = 'middle';
  context.textAlign = isCentred ? 'center' : 'left';
  context.fillText(text, x, y, width);
}

export function applyLine(context: CanvasRenderingContext2D, { stroke, lineWidth, dash = [] }: Line): void {
  context.strokeStyle = stroke;
  context.lineWidth = lineWidth;
  context.setLineDash([...dash]);
}

/** Adds the curve of `Surface.curve` to `path`. */
export function toPath(points: readonly number[], path = new Path2D()): Path2D {
  const [startX = 0, startY = 0] = points;
  path.moveTo(startX, startY);
  for (const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x = 0, y = 0] of curveSegments(points))
    path.bezierCurveTo(x1, y1, x2, y2, x, y);
  return path;
}
