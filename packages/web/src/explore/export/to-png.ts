import { createCanvasSurface } from '../draw/canvas-surface.js';
import { FULL_WORDS } from '../draw/draw-card.js';
import { drawScene, type Showing } from '../draw/draw-scene.js';

const MARGIN = 32;
/** Limit of browsers for one side of a canvas, in pixels. */
const MOST_SIDE = 16_000;
/** Limit of browsers for the number of pixels of a canvas. */
const MOST_AREA = 60_000_000;
const SHARPNESS = 2;

/**
 * Resolves to the picture at twice its size, or smaller within the limits of browsers. Undefined if the browser fails
 * to draw it.
 */
export function toPng(showing: Omit<Showing, 'area' | 'words'>): Promise<Blob | undefined> {
  const { bounds } = showing.scene.layout;
  const width = bounds.right - bounds.left + 2 * MARGIN;
  const height = bounds.bottom - bounds.top + 2 * MARGIN;
  const scale = Math.min(
    SHARPNESS,
    MOST_SIDE / Math.max(width, height),
    Math.sqrt(MOST_AREA / width / height),
  );
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: Math.ceil(width * scale), height: Math.ceil(height * scale) });
  const context = canvas.getContext('2d');
  if (context === null) return Promise.resolve(undefined);
  context.fillStyle = showing.palette.paper;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.setTransform(scale, 0, 0, scale, (MARGIN - bounds.left) * scale, (MARGIN - bounds.top) * scale);
  drawScene(createCanvasSurface(context), { ...showing, area: bounds, words: FULL_WORDS });
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/png'));
}

export function toDataUrl(bitmap: ImageBitmap): string {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: bitmap.width, height: bitmap.height });
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  return canvas.toDataURL('image/png');
}
