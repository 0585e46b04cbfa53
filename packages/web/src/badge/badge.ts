import type { PublicationSummary } from '@colophon/model';
import { badge } from '../strings/badge.js';
import { describeOrigin, describeRecord, describeShort } from '../strings/describe-facts.js';
import { AI_ICONS } from '../ui/ai-icons.js';
import { BADGE_STYLE } from './badge-style.js';
import { compareBytes } from './compare-bytes.js';
import { make, makeSvg } from './make-element.js';
import { placeLabel } from './place-label.js';

/**
 * Draws a badge after each element with `data-colophon="<id of a publication>"`, also after elements that are added
 * later. Sets no cookie. Sends requests only to this service, except that an opened badge fetches the picture.
 */
const ATTRIBUTE = 'data-colophon';
const LABELLED = '[data-colophon-label]';
const ID = /^[\w-]{24}$/;

const { currentScript } = document;
if (currentScript instanceof HTMLScriptElement) start(new URL('./', currentScript.src));

function start(base: URL): void {
  const style = new CSSStyleSheet();
  style.replaceSync(BADGE_STYLE);
  const drawn = new WeakMap<Element, string>();
  const look = () => {
    for (const element of document.querySelectorAll(`[${ATTRIBUTE}]`)) {
      const id = element.getAttribute(ATTRIBUTE) ?? '';
      if (!ID.test(id) || drawn.get(element) === id) continue;
      drawn.set(element, id);
      void draw(element, id, { base, style });
    }
  };
  const watch = () => {
    look();
    const changes = { childList: true, subtree: true, attributeFilter: [ATTRIBUTE] };
    new MutationObserver(look).observe(document.documentElement, changes);
  };
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', watch);
  else watch();
}

/** Draws nothing if the service returns no summary, or if the element has changed meanwhile. */
async function draw(
  element: Element,
  id: string,
  { base, style }: { base: URL; style: CSSStyleSheet },
): Promise<void> {
  const summary = await read(new URL(`api/public/${id}/summary`, base));
  const isStill = element.isConnected && element.getAttribute(ATTRIBUTE) === id;
  if (summary === undefined || !isStill) return;
  const host = document.createElement('span');
  const shadow = host.attachShadow({ mode: 'open' });
  shadow.adoptedStyleSheets = [style];
  const panel = make('div', { className: 'panel', hidden: true }, [
    make('p', { className: 'main' }, [describeOrigin(summary.facts)]),
    ...describeRecord(summary.facts).map((line) => make('p', {}, [line])),
  ]);
  panel.setAttribute('role', 'group');
  panel.setAttribute('aria-label', badge.label);
  const bytes = make('p', { className: 'soft', textContent: badge.comparing });
  bytes.setAttribute('role', 'status');
  const href = String(new URL(`p/${id}`, base));
  const link = make('a', { href, target: '_blank', rel: 'noopener' }, [`${badge.more} ${badge.opens}`]);
  panel.append(bytes, link);
  const labelled = element.closest(LABELLED);
  // A label in the HTML already states the level of AI.
  const words = describeShort(labelled ? { ...summary.facts, ai: 'unstated' } : summary.facts);
  const button = make('button', { type: 'button' }, [drawMark(), words]);
  button.setAttribute('aria-expanded', 'false');
  button.title = badge.label;
  let compared = false;
  const show = (isOpen: boolean) => {
    panel.hidden = !isOpen;
    button.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen || compared) return;
    compared = true;
    void compareBytes(element, summary.sha256).then((verdict) => {
      bytes.textContent = badge[verdict];
    });
  };
  button.addEventListener('click', () => show(panel.hidden === true));
  shadow.addEventListener('keydown', (event) => {
    if ((event as KeyboardEvent).key !== 'Escape' || panel.hidden) return;
    show(false);
    button.focus();
  });
  shadow.append(button, panel);
  // Places the badge after a link or button. A click on a badge inside it would activate the link or button too.
  const place = element.closest('a, button') ?? labelled ?? element.closest('picture') ?? element;
  if (labelled) host.style.display = 'block';
  place.after(host);
  const icon = AI_ICONS[summary.facts.ai];
  if (icon !== undefined && labelled === null && element instanceof HTMLImageElement)
    placeLabel(element, icon, style);
}

async function read(url: URL): Promise<PublicationSummary | undefined> {
  try {
    const answer = await fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer' });
    return answer.ok ? ((await answer.json()) as PublicationSummary) : undefined;
  } catch {
    return undefined; // an error of the badge must not disturb the site
  }
}

function drawMark(): SVGElement {
  const d = 'M3 1h6l4 4v10H3zm2 7h6v1.5H5zm0 3h6v1.5H5zM8.5 2.5V5.5h3z';
  return makeSvg('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' }, [
    makeSvg('path', { d, 'fill-rule': 'evenodd' }),
  ]);
}
