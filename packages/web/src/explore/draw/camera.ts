import type { Bounds } from '../layout/layout-input.js';

/** `x`, `y`: the point of the picture at the upper left corner of the view. `zoom`: pixels per unit. */
export interface Camera {
  x: number;
  y: number;
  zoom: number;
}

export interface Size {
  width: number;
  height: number;
}

const ZOOM = { least: 0.002, most: 3 };
/** Two nodes must not fill the screen. */
const FITTED_MOST = 1;
const MARGIN = 28;

export function fit(bounds: Bounds, view: Size): Camera {
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const zoom = Math.min(
    FITTED_MOST,
    Math.max(1, view.width - 2 * MARGIN) / Math.max(1, width),
    Math.max(1, view.height - 2 * MARGIN) / Math.max(1, height),
  );
  return centreOn({ x: bounds.left + width / 2, y: bounds.top + height / 2 }, view, clampZoom(zoom));
}

/** Minimum zoom for legible titles. */
const LEGIBLE = 0.4;
/** `wide`: all text of the cards is legible. `narrow`: only their titles. */
const READABLE = { wide: 0.8, narrow: 0.5 };
/** In pixels. */
const NARROW = 600;

export interface Opening {
  subject: Bounds;
  step?: Bounds | undefined;
}

/**
 * Fits the picture into the view if the titles are then legible. Else shows a readable part: a wide view has the
 * subject near its centre, and a narrow one begins with the newest step.
 */
export function begin(bounds: Bounds, view: Size, { subject, step = subject }: Opening): Camera {
  const isNarrow = view.width < NARROW;
  const readable = isNarrow ? READABLE.narrow : READABLE.wide;
  const all = fit(bounds, view);
  if (all.zoom >= LEGIBLE) return all;
  const camera = centreOn(middleOf(subject), view, readable);
  const margin = isNarrow ? MARGIN / readable : MARGIN;
  const [width, height] = [view.width / readable, view.height / readable];
  const between = { least: bounds.left - margin, most: bounds.right + margin - width };
  const y = clamp(camera.y, { least: bounds.top - margin, most: bounds.bottom + margin - height });
  if (!isNarrow) return { ...camera, x: clamp(camera.x, between), y };
  const x = clamp(Math.min(step.left, subject.left) - margin, between);
  return keepInView({ x, y, zoom: readable }, view, subject);
}

function middleOf({ left, top, right, bottom }: Bounds): { x: number; y: number } {
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

/** The range is empty if the picture is smaller than the view. */
function clamp(value: number, { least, most }: { least: number; most: number }): number {
  return most < least ? (least + most) / 2 : Math.min(most, Math.max(least, value));
}

export function centreOn(point: { x: number; y: number }, view: Size, zoom: number): Camera {
  return { x: point.x - view.width / 2 / zoom, y: point.y - view.height / 2 / zoom, zoom };
}

/** The point at `at`, in pixels of the view, stays in place. */
export function zoomAt(camera: Camera, at: { x: number; y: number }, factor: number): Camera {
  const zoom = clampZoom(camera.zoom * factor);
  return {
    x: camera.x + at.x / camera.zoom - at.x / zoom,
    y: camera.y + at.y / camera.zoom - at.y / zoom,
    zoom,
  };
}

export function pan(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x - dx / camera.zoom, y: camera.y - dy / camera.zoom };
}

export function isLegible(camera: Camera, view: Size, box: Bounds): boolean {
  const seen = inView(camera, view);
  const isInside =
    box.left >= seen.left && box.right <= seen.right && box.top >= seen.top && box.bottom <= seen.bottom;
  return isInside && camera.zoom >= LEGIBLE;
}

export type Side = 'left' | 'right' | 'top' | 'bottom';

/** Returns the sides beyond which the picture goes on. */
export function hiddenSides(camera: Camera, view: Size, bounds: Bounds): Side[] {
  const seen = inView(camera, view);
  return [
    ...(bounds.left < seen.left ? (['left'] as const) : []),
    ...(bounds.right > seen.right ? (['right'] as const) : []),
    ...(bounds.top < seen.top ? (['top'] as const) : []),
    ...(bounds.bottom > seen.bottom ? (['bottom'] as const) : []),
  ];
}

export function inView({ x, y, zoom }: Camera, view: Size): Bounds {
  return { left: x, top: y, right: x + view.width / zoom, bottom: y + view.height / zoom };
}

/** Moves the camera as little as necessary. */
export function keepInView(camera: Camera, view: Size, box: Bounds): Camera {
  const seen = inView(camera, view);
  const margin = MARGIN / camera.zoom;
  const over = Math.max(0, box.right + margin - seen.right);
  const under = Math.max(0, seen.left - (box.left - margin));
  return { ...camera, x: camera.x + over - under };
}

export function toPoint({ x, y, zoom }: Camera, at: { x: number; y: number }): { x: number; y: number } {
  return { x: x + at.x / zoom, y: y + at.y / zoom };
}

function clampZoom(zoom: number): number {
  return Math.min(ZOOM.most, Math.max(ZOOM.least, zoom));
}
