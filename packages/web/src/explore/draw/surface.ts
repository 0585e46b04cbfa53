/** `x`, `y`: the upper left corner. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Fill {
  fill?: string;
  stroke?: string;
  lineWidth?: number;
  radius?: number;
  /** Alternating lengths of dashes and gaps of the stroke; absent for a solid stroke. */
  dash?: readonly number[] | undefined;
}

export interface Line {
  stroke: string;
  lineWidth: number;
  dash?: readonly number[] | undefined;
}

export interface TextStyle {
  color: string;
  size: number;
  isBold?: boolean;
  isCentred?: boolean;
}

/** A drawing target: a canvas or an SVG document. Sizes are CSS pixels at zoom 1. */
export interface Surface {
  box(box: Box, style: Fill): void;
  /** `y`: the vertical centre. `width`: the maximum width. */
  text(text: string, at: { x: number; y: number; width: number }, style: TextStyle): void;
  /** Draws a curve through all points (x and y alternate). At each point the curve is horizontal. */
  curve(points: readonly number[], style: Line): void;
  /** `at`: the tip. The arrowhead points to the right. */
  arrow(at: { x: number; y: number }, color: string): void;
  /** Crops the picture so that it fills the box. */
  picture(box: Box, bitmap: ImageBitmap): void;
  /** Sets the opacity of the following shapes, from 0 to 1. */
  fade(share: number): void;
}

const ARROW = { length: 8, half: 4 };

/** x and y alternate; the tip is first. */
export function arrowCorners({ x, y }: { x: number; y: number }): number[] {
  return [x, y, x - ARROW.length, y - ARROW.half, x - ARROW.length, y + ARROW.half];
}

/** Returns cubic Bezier segments `[x1, y1, x2, y2, x, y]`. */
export function curveSegments(points: readonly number[]): number[][] {
  const segments: number[][] = [];
  for (let index = 2; index < points.length; index += 2) {
    const [fromX = 0, fromY = 0, toX = 0, toY = 0] = points.slice(index - 2, index + 2);
    const isBackward = toX < fromX;
    const reach = isBackward ? Math.min(160, (fromX - toX) / 2 + 40) : (toX - fromX) / 2;
    segments.push([fromX + reach, fromY, toX - reach, toY, toX, toY]);
  }
  return segments;
}

export function coverOf({ width, height }: { width: number; height: number }, box: Box): Box {
  const scale = Math.max(box.width / width, box.height / height);
  const [partWidth, partHeight] = [box.width / scale, box.height / scale];
  return { x: (width - partWidth) / 2, y: (height - partHeight) / 2, width: partWidth, height: partHeight };
}
