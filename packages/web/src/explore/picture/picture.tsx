import { type KeyboardEvent, type RefObject, useContext, useEffect, useRef, useState } from 'react';
import { explore } from '../../strings/explore.js';
import { ThumbnailContext } from '../../ui/thumbnail-loader.js';
import { listenToGestures } from '../draw/gestures.js';
import { readPalette } from '../draw/palette.js';
import { createPictureView, type PictureView } from '../draw/picture-view.js';
import type { Marks, Scene } from '../draw/scene.js';
import { type Direction, nextNode } from '../history/walk.js';
import { createThumbnails, type Thumbnails } from './thumbnails.js';

const ARROWS: Record<string, Direction> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};
const ZOOM_STEP = 1.3;

interface PictureProps {
  scene: Scene;
  marks: Marks;
  thumbnails: Thumbnails;
  viewRef: RefObject<PictureView | null>;
  onSelect: (node: number | undefined) => void;
  onWalk: (node: number) => void;
  onPoint: (node: number | undefined) => void;
}

export function Picture({ scene, marks, thumbnails, viewRef, onSelect, onWalk, onPoint }: PictureProps) {
  const place = useRef<HTMLCanvasElement>(null);
  const latest = useRef({ scene, onSelect, onPoint });
  latest.current = { scene, onSelect, onPoint };
  useEffect(() => {
    const canvas = place.current;
    const frame = canvas?.parentElement;
    if (canvas === null || !frame) return undefined;
    const thumbnailOf = (node: number) => {
      const shown = latest.current.scene.history.nodes[node];
      return shown && thumbnails.of(shown);
    };
    const view = createPictureView(canvas, { thumbnailOf, palette: readPalette(frame) });
    viewRef.current = view;
    const endings = [
      watchSize(frame, view),
      watchColours(() => view.paint(readPalette(frame))),
      listenToGestures(canvas, {
        view,
        select: (node) => latest.current.onSelect(node),
        point: (node) => latest.current.onPoint(node),
      }),
      () => view.close(),
    ];
    return () => {
      viewRef.current = null;
      for (const end of endings) end();
    };
  }, [thumbnails, viewRef]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the thumbnails creates a new view
  useEffect(() => viewRef.current?.show(scene), [scene, viewRef, thumbnails]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the thumbnails creates a new view
  useEffect(() => viewRef.current?.mark(marks), [marks, viewRef, thumbnails]);
  const press = (event: KeyboardEvent) => {
    const view = viewRef.current;
    const { selected } = marks;
    if (view !== null && pressKey(event.key, { view, scene, selected, onSelect, onWalk }))
      event.preventDefault();
  };
  return (
    <div
      role="application"
      aria-label={explore.picture.label}
      aria-describedby="picture-keys"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: an application handles keys
      tabIndex={0}
      className={marks.hovered === undefined ? 'stage' : 'stage pointing'}
      onKeyDown={press}
    >
      <canvas ref={place} />
    </div>
  );
}

/** Returns false for a key without a function. */
function pressKey(
  key: string,
  {
    view,
    scene,
    selected,
    onSelect,
    onWalk,
  }: Pick<PictureProps, 'scene' | 'onSelect' | 'onWalk'> & {
    view: PictureView;
    selected: number | undefined;
  },
): boolean {
  const direction = ARROWS[key];
  if (direction !== undefined) {
    const next = selected === undefined ? scene.history.focus : nextNode(scene, selected, direction);
    if (next !== undefined) {
      onWalk(next);
      view.reveal(next);
    }
    return true;
  }
  if (key === '+' || key === '=') view.zoom(ZOOM_STEP);
  else if (key === '-') view.zoom(1 / ZOOM_STEP);
  else if (key === '0') view.fit();
  else if (key === 'Escape') onSelect(undefined);
  else if (key === 'Enter' && selected !== undefined) onSelect(selected);
  else return false;
  return true;
}

function watchSize(frame: HTMLElement, view: PictureView): () => void {
  const observer = new ResizeObserver(() =>
    view.resize({ width: frame.clientWidth, height: frame.clientHeight }),
  );
  observer.observe(frame);
  view.resize({ width: frame.clientWidth, height: frame.clientHeight });
  return () => observer.disconnect();
}

function watchColours(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  const device = window.matchMedia('(prefers-color-scheme: dark)');
  device.addEventListener('change', changed);
  return () => {
    observer.disconnect();
    device.removeEventListener('change', changed);
  };
}

/** Returns undefined if no project is open. */
export function useThumbnails(viewRef: RefObject<PictureView | null>): Thumbnails | undefined {
  const loader = useContext(ThumbnailContext);
  const [thumbnails, setThumbnails] = useState<Thumbnails>();
  useEffect(() => {
    const made = loader && createThumbnails(loader, () => viewRef.current?.refresh());
    setThumbnails(made);
    return () => made?.close();
  }, [loader, viewRef]);
  return thumbnails;
}
