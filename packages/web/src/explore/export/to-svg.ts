import { FULL_WORDS } from '../draw/draw-card.js';
import { drawScene, type Showing } from '../draw/draw-scene.js';
import { createSvgSurface } from '../draw/svg-surface.js';

const MARGIN = 32;

/** Contains only thumbnails that are already loaded. */
export function toSvg(
  showing: Omit<Showing, 'area' | 'words'>,
  { title, toDataUrl }: { title: string; toDataUrl: (bitmap: ImageBitmap) => string },
): string {
  const { bounds } = showing.scene.layout;
  const surface = createSvgSurface(toDataUrl);
  drawScene(surface, { ...showing, area: bounds, words: FULL_WORDS });
  return surface.toText({
    left: bounds.left - MARGIN,
    top: bounds.top - MARGIN,
    width: bounds.right - bounds.left + 2 * MARGIN,
    height: bounds.bottom - bounds.top + 2 * MARGIN,
    title,
    paper: showing.palette.paper,
  });
}
