import type { Bounds } from '../layout/layout-input.js';

/** What is seen: the point of the picture at the upper left corner, and pixels for each of its units. */
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
/** The largest zoom that a picture is fitted at: a history of two nodes need not fill the screen. */
const FITTED_MOST = 1;
const MARGIN = 28;

/** All of the picture in view. */
export function fit(bounds: Bounds, view: Size): Camera {
  const [width, height] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const zoom = Math.min(
    FITTED_MOST,
    Math.max(1, view.width - 2 * MARGIN) / Math.max(1, width),
    Math.max(1, view.height - 2 * MARGIN) / Math.max(1, height),
  );
  return centreOn({ x: bounds.left + width / 2, y: bounds.top + height / 2 }, view, clampZoom(zoom));
}

/** From nearer than this, cards can be told from each other. */
const READABLE = 0.4;

/** All of the picture in view; when that would be too far away, as much as can be read around one of its points. */
export function begin(bounds: Bounds, view: Size, point: { x: number; y: number }): Camera {
  const all = fit(bounds, view);
  if (all.zoom >= READABLE) return all;
  const height = Math.max(1, view.height - 2 * MARGIN) / Math.max(1, bounds.bottom - bounds.top);
  const camera = centreOn(point, view, Math.max(all.zoom, Math.min(READABLE, height)));
  const [least, most] = [bounds.left - MARGIN, bounds.right + MARGIN - view.width / camera.zoom];
  return { ...camera, x: Math.max(Math.min(camera.x, most), Math.min(least, most)) };
}

/** A point of the picture in the middle of the view. */
export function centreOn(point: { x: number; y: number }, view: Size, zoom: number): Camera {
  return { x: point.x - view.width / 2 / zoom, y: point.y - view.height / 2 / zoom, zoom };
}

/** Nearer or farther by a factor; what is at `at`, in pixels of the view, stays there. */
export function zoomAt(camera: Camera, at: { x: number; y: number }, factor: number): Camera {
  const zoom = clampZoom(camera.zoom * factor);
  return {
    x: camera.x + at.x / camera.zoom - at.x / zoom,
    y: camera.y + at.y / camera.zoom - at.y / zoom,
    zoom,
  };
}

/** Moved by pixels of the view. */
export function pan(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x - dx / camera.zoom, y: camera.y - dy / camera.zoom };
}

/** The part of the picture that is in view. */
export function inView({ x, y, zoom }: Camera, view: Size): Bounds {
  return { left: x, top: y, right: x + view.width / zoom, bottom: y + view.height / zoom };
}

/** A point of the picture, from pixels of the view. */
export function toPoint({ x, y, zoom }: Camera, at: { x: number; y: number }): { x: number; y: number } {
  return { x: x + at.x / zoom, y: y + at.y / zoom };
}

function clampZoom(zoom: number): number {
  return Math.min(ZOOM.most, Math.max(ZOOM.least, zoom));
}
