import type { MarkRaster } from '@colophon/model/watermark';

/** In pixels. */
export interface Region {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The square input of a model: its side in pixels, and the values of black and white. */
export interface ModelPicture {
  side: number;
  range: readonly [number, number];
}

/** The change of a picture in grey levels: `side` x `side` pixels of red, then green, then blue. */
export interface Residual {
  side: number;
  values: Float32Array;
}

/** Width of the border in which the change fades in: this share of the shorter side, at most `MAX_FADE` pixels. */
const FADE_SHARE = 0.01;
const MAX_FADE = 50;

/** Returns the part that a model sees: the whole, or the middle square of a long picture. */
export function regionOf(
  { width, height }: Pick<MarkRaster, 'width' | 'height'>,
  squareAbove: number,
): Region {
  const shorter = Math.min(width, height);
  const isLong = Math.max(width, height) / shorter > squareAbove;
  if (!isLong) return { left: 0, top: 0, width, height };
  const [left, top] = [Math.floor((width - shorter) / 2), Math.floor((height - shorter) / 2)];
  return { left, top, width: shorter, height: shorter };
}

/**
 * Returns the difference without its mean in each channel, so that no colour shifts, as TrustMark does
 * (github.com/adobe/trustmark, `encode`).
 */
export function toResidual(
  before: Float32Array,
  after: ArrayLike<number | bigint>,
  { side, range: [low, high], strength }: ModelPicture & { strength: number },
): Residual {
  const values = new Float32Array(before.length);
  const plane = side * side;
  /** Grey levels for a difference of 1. */
  const unit = (strength * 255) / (high - low);
  for (let start = 0; start < values.length; start += plane) {
    let sum = 0;
    for (let at = start; at < start + plane; at++) {
      const change = Math.min(high, Math.max(low, Number(after[at]))) - (before[at] ?? 0);
      values[at] = unit * change;
      sum += unit * change;
    }
    for (let at = start; at < start + plane; at++) values[at] = (values[at] ?? 0) - sum / plane;
  }
  return { side, values };
}

/** Adds the residual, scaled to the region (bilinear) and faded in at its border. */
export function addResidual(
  { width, channels, data }: MarkRaster,
  region: Region,
  { side, values }: Residual,
): Uint8Array {
  const changed = Uint8Array.from(data);
  const fade = Math.min(
    MAX_FADE,
    Math.max(1, Math.floor(FADE_SHARE * Math.min(region.width, region.height))),
  );
  const columns = toSteps(region.width, { side, fade });
  const rows = toSteps(region.height, { side, fade });
  const line = new Float32Array(3 * side);
  for (let y = 0; y < region.height; y++) {
    mixLines(values, line, { side, step: rows, at: y });
    for (let x = 0; x < region.width; x++) {
      const [from, share] = [columns.from[x] ?? 0, columns.share[x] ?? 0];
      const pixel = ((region.top + y) * width + region.left + x) * channels;
      const weight = (columns.weight[x] ?? 0) * (rows.weight[y] ?? 0);
      for (let channel = 0; channel < Math.min(3, channels); channel++) {
        const place = channel * side + from;
        const change = (1 - share) * (line[place] ?? 0) + share * (line[place + 1] ?? 0);
        const value = (data[pixel + channel] ?? 0) + weight * change;
        changed[pixel + channel] = Math.min(255, Math.max(0, Math.round(value)));
      }
    }
  }
  return changed;
}

/**
 * Each array has one element for each pixel of one side of the region. `from`: index of the residual's pixel before it.
 * `share`: share of the next pixel of the residual. `weight`: factor of the change, less than 1 near the border.
 */
interface Steps {
  from: Int32Array;
  share: Float32Array;
  weight: Float32Array;
}

function toSteps(length: number, { side, fade }: { side: number; fade: number }): Steps {
  const steps = {
    from: new Int32Array(length),
    share: new Float32Array(length),
    weight: new Float32Array(length),
  };
  for (let at = 0; at < length; at++) {
    const place = Math.min(side - 1, Math.max(0, ((at + 0.5) * side) / length - 0.5));
    const from = Math.min(side - 2, Math.floor(place));
    steps.from[at] = from;
    steps.share[at] = place - from;
    steps.weight[at] = Math.min(1, (at + 1) / fade, (length - at) / fade);
  }
  return steps;
}

/** Interpolates the residual at the row `at` of the region into `line`. */
function mixLines(
  values: Float32Array,
  line: Float32Array,
  { side, step, at }: { side: number; step: Steps; at: number },
): void {
  const [from, share] = [step.from[at] ?? 0, step.share[at] ?? 0];
  for (let channel = 0; channel < 3; channel++) {
    const start = (channel * side + from) * side;
    for (let x = 0; x < side; x++)
      line[channel * side + x] =
        (1 - share) * (values[start + x] ?? 0) + share * (values[start + side + x] ?? 0);
  }
}
