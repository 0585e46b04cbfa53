import type { PictureView } from './picture-view.js';

export interface GestureTargets {
  view: PictureView;
  /** `node` is undefined for a click outside all nodes. */
  select: (node: number | undefined) => void;
  point: (node: number | undefined) => void;
}

const WHEEL_SPEED = 0.0016;
/** In pixels. A shorter movement is a click. */
const CLICK_PIXELS = 4;

/** The returned function stops listening. */
export function listenToGestures(
  canvas: HTMLCanvasElement,
  { view, select, point }: GestureTargets,
): () => void {
  const held = new Map<number, { x: number; y: number }>();
  let travelled = 0;
  const placeOf = (event: MouseEvent) => {
    const { left, top } = canvas.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const down = (event: PointerEvent) => {
    if (held.size === 0) travelled = 0;
    canvas.setPointerCapture(event.pointerId);
    held.set(event.pointerId, placeOf(event));
  };
  const move = (event: PointerEvent) => {
    const to = placeOf(event);
    const from = held.get(event.pointerId);
    if (from === undefined) return point(view.nodeAt(to));
    const other = [...held].find(([id]) => id !== event.pointerId)?.[1];
    if (other === undefined) view.pan(to.x - from.x, to.y - from.y);
    else view.zoom(distance(to, other) / Math.max(1, distance(from, other)), other);
    travelled += distance(from, to);
    held.set(event.pointerId, to);
  };
  const up = (event: PointerEvent) => {
    const isClick = held.delete(event.pointerId) && event.type === 'pointerup' && travelled < CLICK_PIXELS;
    if (isClick) select(view.nodeAt(placeOf(event)));
  };
  const leave = () => point(undefined);
  const wheel = (event: WheelEvent) => {
    // The plain wheel scrolls the page. Browsers also report a pinch on a touchpad as a wheel with Ctrl.
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 16 : event.deltaY;
    view.zoom(Math.exp(-pixels * WHEEL_SPEED), placeOf(event));
  };
  const ending = new AbortController();
  const { signal } = ending;
  canvas.addEventListener('pointerdown', down, { signal });
  canvas.addEventListener('pointermove', move, { signal });
  canvas.addEventListener('pointerup', up, { signal });
  canvas.addEventListener('pointercancel', up, { signal });
  canvas.addEventListener('pointerleave', leave, { signal });
  canvas.addEventListener('wheel', wheel, { signal, passive: false });
  return () => ending.abort();
}

function distance(a: { x: number; y: number }, b: { x: number; y: number }): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
