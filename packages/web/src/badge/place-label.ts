import { describeLabel, type LabelIcon } from '@colophon/model';
import { make, makeSvg } from './make-element.js';

const GAP = 8;
const MARKED = 'data-colophon';

/**
 * Draws the icon of a label over the lower left corner of a picture, and keeps it there when the layout changes. Screen
 * readers skip it, because the badge has the same words.
 */
export function placeLabel(image: HTMLImageElement, icon: LabelIcon, style: CSSStyleSheet): void {
  const { text, width, height } = describeLabel(icon);
  const host = make('span', { className: 'colophon-label' });
  const shadow = host.attachShadow({ mode: 'open' });
  shadow.adoptedStyleSheets = [style];
  const words = makeSvg('text', { x: `${width / 2}`, y: '22', textLength: `${width - 24}` });
  words.textContent = text;
  shadow.append(
    makeSvg('svg', { class: 'label', width: `${width}`, height: `${height}`, 'aria-hidden': 'true' }, [
      makeSvg('rect', { x: '1', y: '1', width: `${width - 2}`, height: `${height - 2}`, rx: '6' }),
      words,
    ]),
  );
  const id = image.getAttribute(MARKED);
  const place = () => {
    if (!image.isConnected || image.getAttribute(MARKED) !== id) return end();
    Object.assign(host.style, {
      position: 'absolute',
      pointerEvents: 'none',
      display: 'block',
      left: '0',
      top: '0',
    });
    const [at, frame] = [host.getBoundingClientRect(), image.getBoundingClientRect()];
    const [left, top] = [frame.left + GAP, frame.bottom - height - GAP];
    const fits = frame.width >= width + 2 * GAP && frame.height >= height + 2 * GAP;
    const isShown = fits && isUnclipped(image, new DOMRect(left, top, width, height));
    Object.assign(host.style, {
      display: isShown ? 'block' : 'none',
      left: `${left - at.left}px`,
      top: `${top - at.top}px`,
    });
  };
  const watch = new ResizeObserver(place);
  const end = () => {
    watch.disconnect();
    document.removeEventListener('scroll', place, true);
    host.remove();
  };
  image.after(host);
  place();
  watch.observe(image);
  watch.observe(document.documentElement);
  document.addEventListener('scroll', place, { capture: true, passive: true });
}

/** Whether the box is completely visible in every parent that scrolls or clips its content. */
function isUnclipped(image: Element, box: DOMRect): boolean {
  for (let parent = image.parentElement; parent !== null; parent = parent.parentElement) {
    if (parent === document.body || parent === document.documentElement) return true;
    if (getComputedStyle(parent).overflow === 'visible') continue;
    const { left, top, right, bottom } = parent.getBoundingClientRect();
    if (box.left < left || box.top < top || box.right > right || box.bottom > bottom) return false;
  }
  return true;
}
