/** A box by its upper left corner. */
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
}

export interface Line {
  stroke: string;
  lineWidth: number;
  /** Lengths of dashes and gaps; none for a full line. */
  dash?: readonly number[];
}

export interface TextStyle {
  color: string;
  size: number;
  isBold?: boolean;
  isCentred?: boolean;
}

/** What pictures are drawn on: a canvas, or an SVG document. Sizes are CSS pixels at zoom 1. */
export interface Surface {
  box(box: Box, style: Fill): void;
  /** One line of text, its middle at `y`, no wider than `width`. */
  text(text: string, at: { x: number; y: number; width: number }, style: TextStyle): void;
  /** Through all points, x and y by turns, level at each of them. */
  curve(points: readonly number[], style: Line): void;
  /** A picture, cut so that it fills the box. */
  picture(box: Box, bitmap: ImageBitmap): void;
  /** How much of what follows is seen, from 0 to 1. */
  fade(share: number): void;
}

/** The same curves as cubic Bezier segments: `[x1, y1, x2, y2, x, y]` each. */
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

/** The part of a picture that fills a box of a shape, from its middle. */
export function coverOf({ width, height }: { width: number; height: number }, box: Box): Box {
  const scale = Math.max(box.width / width, box.height / height);
  const [partWidth, partHeight] = [box.width / scale, box.height / scale];
  return { x: (width - partWidth) / 2, y: (height - partHeight) / 2, width: partWidth, height: partHeight };
}
