import { type Camera, inView, type Size } from './camera.js';
import { createCanvasSurface } from './canvas-surface.js';
import { drawAfar, type FarTile, STRIKE_PIXELS, toFarTiles } from './draw-afar.js';
import { drawPlainCard, FULL_WORDS, type Words } from './draw-card.js';
import { drawEdges } from './draw-edges.js';
import { chosenEdges, drawChosen, drawScene, type Showing, toCard } from './draw-scene.js';
import type { Scene } from './scene.js';
import { drawTimeAxis } from './time-axis.js';

export interface Shown extends Pick<Showing, 'marks' | 'palette' | 'thumbnailOf'> {
  scene?: Scene;
  far?: readonly FarTile[] | undefined;
  view: Size;
  camera: Camera;
}

/** Minimum zoom for the second line of cards. */
const DETAILS_FROM = 0.62;
/** Minimum zoom for titles. */
const TITLES_FROM = 0.33;
/** Minimum zoom for card shapes. */
const FORMS_FROM = 0.22;
/** Size of the title in screen pixels, at every zoom. */
const TITLE_PIXELS = 11;

export function drawView(context: CanvasRenderingContext2D, shown: Shown): void {
  const { scene, camera, view, palette } = shown;
  const ratio = window.devicePixelRatio;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = palette.paper;
  context.fillRect(0, 0, view.width, view.height);
  if (scene === undefined) return;
  const scale = ratio * camera.zoom;
  context.setTransform(scale, 0, 0, scale, -camera.x * scale, -camera.y * scale);
  drawContent(context, shown, scene);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  drawEdges(context, { scene, camera, view, palette });
  drawTimeAxis(context, { columns: scene.layout.columns, camera, view, palette });
}

function drawContent(context: CanvasRenderingContext2D, shown: Shown, scene: Scene): void {
  const { camera, view, palette, marks, thumbnailOf } = shown;
  const surface = createCanvasSurface(context);
  const showing = {
    scene,
    marks,
    palette,
    area: inView(camera, view),
    words: wordsAt(camera.zoom),
    thumbnailOf,
  };
  if (camera.zoom >= FORMS_FROM) {
    drawScene(surface, showing);
    return;
  }
  shown.far ??= toFarTiles(scene, marks.lit);
  drawAfar(context, shown.far, { palette, area: showing.area, zoom: camera.zoom });
  drawChosen(surface, showing, chosenEdges(showing));
  const strikeWidth = STRIKE_PIXELS / camera.zoom;
  for (const node of new Set([scene.history.focus, ...marks.found, marks.selected ?? scene.history.focus])) {
    const card = toCard(showing, node);
    if (card !== undefined) drawPlainCard(surface, card, { palette, strikeWidth });
  }
}

function wordsAt(zoom: number): Words | undefined {
  if (zoom >= DETAILS_FROM) return FULL_WORDS;
  return zoom >= TITLES_FROM ? { title: TITLE_PIXELS / zoom } : undefined;
}
