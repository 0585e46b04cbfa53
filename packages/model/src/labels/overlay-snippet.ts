import type { PublishedFacts } from '../publications/published-history.js';
import { describeLabel, drawShapes } from './draw-label.js';
import { escapeMarkup } from './escape-markup.js';
import { LABEL_MESSAGES, type LabelIcon } from './label-messages.js';
import { toAddress } from './label-snippet.js';

/** A picture to label, and its level of AI in a publication. */
export interface OverlayOptions {
  ai: PublishedFacts['ai'];
  /** Address of the picture. */
  src: string;
  /** Text for readers who do not see the picture. */
  alt: string;
  /** Address of the published history. */
  href: string;
  /** Id of the publication, for the badge. Without it, the picture has no badge. */
  publication?: string;
  /** The visible words; default: words in English. The text on the icon is always in English. */
  words?: OverlayWords | undefined;
}

/** The words below a picture, in a language other than English. */
export interface OverlayWords {
  /** BCP 47 tag of the language. */
  language: string;
  /** The sentence with the level of AI. */
  notice: string;
  /** The text of the link to the published history. */
  link: string;
}

const { notice: notices } = LABEL_MESSAGES.en;
const ENGLISH = { language: 'en', link: 'Origin of this picture' };

/** Other levels need no label. */
const LEVELS: Readonly<Partial<Record<PublishedFacts['ai'], { icon?: LabelIcon; text: string }>>> = {
  generated: { icon: 'ai-generated', text: notices['ai-generated']('image') },
  assisted: { icon: 'ai-modified', text: notices['ai-modified']('image') },
  involved: { icon: 'ai', text: 'AI was used in the history of this picture. It is not disclosed where.' },
  sources: { icon: 'ai', text: 'AI was used in the sources of this picture.' },
  withheld: { text: 'It is not disclosed whether AI took part in making this picture.' },
};

/**
 * Returns HTML with a picture and a sentence. The icon of the label is in the lower left corner; the level `withheld`
 * has no icon. The icon is in the HTML, so the label needs no script, no style sheet and no request to a service. The
 * page shows the label even after the publication ends. With `publication` and the script of the badge, the picture
 * also has a badge. Returns undefined for a level that needs no label. Throws TypeError for an `src` or `href` that is
 * neither a web address nor a path.
 *
 * @example
 * const at = { src: '/heron.jpg', alt: 'A heron', href: 'https://provenance.example/app/p/1' };
 * overlaySnippet({ ...at, ai: 'generated' })?.includes('AI GENERATED'); // => true
 * overlaySnippet({ ...at, ai: 'human' }); // => undefined
 */
export function overlaySnippet(options: OverlayOptions): string | undefined {
  const { ai, src, alt, href, publication, words } = options;
  const label = LEVELS[ai];
  if (label === undefined) return undefined;
  const badge = publication === undefined ? '' : ` data-colophon="${escapeMarkup(publication)}"`;
  const image = `<img src="${toAddress(src)}" alt="${escapeMarkup(alt)}"${badge} style="display:block;max-width:100%">`;
  const icon = label.icon === undefined ? '' : drawOverlay(label.icon);
  const { language, notice, link } = words ?? { ...ENGLISH, notice: label.text };
  return [
    '<figure style="margin:0">',
    `<span data-colophon-label style="position:relative;display:inline-block">${image}${icon}</span>`,
    `<figcaption lang="${escapeMarkup(language)}">${escapeMarkup(notice)} <a href="${toAddress(href)}">${escapeMarkup(link)}</a></figcaption>`,
    '</figure>',
  ].join('');
}

function drawOverlay(icon: LabelIcon): string {
  const { text, width, height } = describeLabel(icon);
  const place = 'position:absolute;left:8px;bottom:8px;max-width:calc(100% - 16px)';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${text}" style="${place}">${drawShapes(text, width)}</svg>`;
}
