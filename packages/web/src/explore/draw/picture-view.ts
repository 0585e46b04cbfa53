import {
  begin,
  type Camera,
  centreOn,
  fit,
  inView,
  isLegible,
  keepInView,
  pan,
  type Size,
  toPoint,
  zoomAt,
} from './camera.js';
import type { Showing } from './draw-scene.js';
import { drawView, type Shown } from './draw-view.js';
import type { Palette } from './palette.js';
import { type Marks, newestStepTo, type Scene } from './scene.js';
import { AXIS_HEIGHT } from './time-axis.js';

export interface PictureView {
  show(scene: Scene): void;
  mark(marks: Marks): void;
  paint(palette: Palette): void;
  resize(view: Size): void;
  fit(): void;
  zoom(factor: number, at?: { x: number; y: number }): void;
  pan(dx: number, dy: number): void;
  /** Moves a node to the centre, at a readable zoom. */
  reveal(node: number): void;
  /** Reveals a node only if its card is not completely in view, or its title is not legible. */
  revealIfNeeded(node: number): void;
  nodeAt(at: { x: number; y: number }): number | undefined;
  /** Draws again at the next frame. */
  refresh(): void;
  close(): void;
}

const REVEALED_ZOOM = 0.85;
const START: Camera = { x: 0, y: 0, zoom: 1 };
const EMPTY: Marks = { found: new Set(), hidden: new Map() };

export function createPictureView(
  canvas: HTMLCanvasElement,
  { thumbnailOf, palette }: { thumbnailOf: Showing['thumbnailOf']; palette: Palette },
): PictureView {
  const context = canvas.getContext('2d', { alpha: false });
  const state: Shown = { marks: EMPTY, palette, view: { width: 1, height: 1 }, camera: START, thumbnailOf };
  let frame = 0;
  const draw = () => {
    cancelAnimationFrame(frame);
    frame = 0;
    if (context !== null) drawView(context, state);
  };
  const refresh = () => {
    if (frame === 0) frame = requestAnimationFrame(draw);
  };
  const change = (part: Partial<Shown>) => {
    Object.assign(state, part);
    refresh();
  };
  const fitted = () => (state.scene === undefined ? START : fitBelowAxis(state.scene, state.view));
  return {
    show(scene) {
      const isFirst = state.scene === undefined;
      change({ scene, far: undefined });
      if (isFirst) change({ camera: begun(scene, state.view) });
    },
    mark: (marks) => change({ marks, ...(marks.lit === state.marks.lit ? {} : { far: undefined }) }),
    paint: (next) => change({ palette: next }),
    resize(view) {
      const ratio = window.devicePixelRatio;
      Object.assign(canvas, {
        width: Math.round(view.width * ratio),
        height: Math.round(view.height * ratio),
      });
      Object.assign(state, { view, camera: resized(state, view) });
      draw();
    },
    fit: () => change({ camera: fitted() }),
    zoom: (factor, at = { x: state.view.width / 2, y: state.view.height / 2 }) =>
      change({ camera: zoomAt(state.camera, at, factor) }),
    pan: (dx, dy) => change({ camera: pan(state.camera, dx, dy) }),
    reveal: (node) => change({ camera: centred(state, node) }),
    revealIfNeeded: (node) => {
      if (!isShown(state, node)) change({ camera: centred(state, node) });
    },
    nodeAt: (at) => (at.y < AXIS_HEIGHT ? undefined : state.scene?.grid.at(toPoint(state.camera, at))),
    refresh,
    close: () => cancelAnimationFrame(frame),
  };
}

/** Keeps the same point at the centre. But a selected node that is in view stays in view. */
function resized({ scene, camera, view, marks: { selected } }: Shown, next: Size): Camera {
  const moved = pan(camera, (next.width - view.width) / 2, (next.height - view.height) / 2);
  if (scene === undefined || selected === undefined) return moved;
  const [box, seen] = [scene.boxOf(selected), inView(camera, view)];
  const wasInView = box.right > seen.left && box.left < seen.right;
  return wasInView ? keepInView(moved, next, box) : moved;
}

function centred({ scene, camera, view }: Shown, node: number): Camera {
  if (scene === undefined) return camera;
  const { x, y } = scene.layout;
  return centreOn({ x: x[node] ?? 0, y: y[node] ?? 0 }, view, Math.max(camera.zoom, REVEALED_ZOOM));
}

function isShown({ scene, camera, view }: Shown, node: number): boolean {
  const below = { ...camera, y: camera.y + AXIS_HEIGHT / camera.zoom };
  return scene !== undefined && isLegible(below, belowAxis(view), scene.boxOf(node));
}

function fitBelowAxis({ layout: { bounds } }: Scene, view: Size): Camera {
  return pan(fit(bounds, belowAxis(view)), 0, AXIS_HEIGHT);
}

function begun(scene: Scene, view: Size): Camera {
  const { boxOf, history, layout } = scene;
  const step = newestStepTo(history.focus, history);
  const opening = { subject: boxOf(history.focus), step: step === undefined ? undefined : boxOf(step) };
  return pan(begin(layout.bounds, belowAxis(view), opening), 0, AXIS_HEIGHT);
}

function belowAxis({ width, height }: Size): Size {
  return { width, height: height - AXIS_HEIGHT };
}
