import { describeLabel, type LabelIcon } from '@colophon/model';
import { make, makeSvg } from './make-element.js';

const GAP = 8;

/**
 * Draws the icon of a label above the lower left corner of a picture, and keeps it there when the layout changes. The
 * picture and its parents stay as they are. The badge has the same words, so screen readers skip the icon.
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
  const place = () => {
    const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = image;
    const fits = offsetWidth >= width + 2 * GAP && offsetHeight >= height + 2 * GAP;
    Object.assign(host.style, {
      position: 'absolute',
      pointerEvents: 'none',
      display: fits ? 'block' : 'none',
      left: `${offsetLeft + GAP}px`,
      top: `${offsetTop + offsetHeight - height - GAP}px`,
    });
  };
  image.after(host);
  place();
  const watch = new ResizeObserver(place);
  watch.observe(image);
  watch.observe(document.documentElement);
}
