import { type AiLevel, iconOfLevel } from './ai-label.js';
import { describeLabel } from './draw-label.js';
import { escapeMarkup } from './escape-markup.js';
import { LABEL_MESSAGES, type LabelKind, type LabelLanguage } from './label-messages.js';

/** The content to label, its level of AI, and the address of the icons. */
export interface SnippetOptions {
  level: AiLevel;
  kind: LabelKind;
  /** Address of the folder with the icons, with a slash at the end. */
  iconBase: string;
  /** Address of the picture, video or sound. A text needs none. */
  src?: string;
  /** Text for readers who do not see the picture. */
  alt?: string;
  language?: LabelLanguage;
}

/** A label for a page. */
export interface LabelSnippet {
  /** HTML without scripts and styles. All values are escaped. */
  html: string;
  /** The sentence next to the content. */
  notice: string;
  /** The sentence to speak at the beginning of a video or a sound recording; undefined for other kinds. */
  spoken: string | undefined;
}

const ELEMENTS = {
  image: (src: string, alt: string) => `<img src="${src}" alt="${alt}">`,
  video: (src: string) => `<video src="${src}" controls></video>`,
  sound: (src: string) => `<audio src="${src}" controls></audio>`,
};

/**
 * Returns the label of a content as HTML, with the icon and a sentence. Returns undefined for a level that needs no
 * label. Throws TypeError for an `src` or `iconBase` that is neither a web address nor a path.
 *
 * @example
 * const iconBase = 'https://provenance.example/public/labels/';
 * labelSnippet({ level: 'assisted', kind: 'text', iconBase })?.notice; // => 'This text was edited with AI.'
 * labelSnippet({ level: 'human', kind: 'text', iconBase }); // => undefined
 */
export function labelSnippet(options: SnippetOptions): LabelSnippet | undefined {
  const { level, kind, iconBase, src = '', alt = '', language = 'en' } = options;
  const icon = iconOfLevel(level);
  if (icon === null) return undefined;
  const { text, width, height } = describeLabel(icon, language);
  const { notice: notices, spoken } = LABEL_MESSAGES[language];
  const notice = notices[icon](kind);
  const iconSrc = toAddress(`${iconBase}${icon}.svg`);
  const image = `<img src="${iconSrc}" alt="${escapeMarkup(text)}" width="${width}" height="${height}">`;
  const label = `${image} <span>${escapeMarkup(notice)}</span>`;
  if (kind === 'text')
    return { html: `<p role="note" lang="${language}">${label}</p>`, notice, spoken: undefined };
  const element = ELEMENTS[kind](toAddress(src), escapeMarkup(alt));
  const html = `<figure>${element}<figcaption lang="${language}">${label}</figcaption></figure>`;
  return { html, notice, spoken: kind === 'image' ? undefined : spoken[icon](kind) };
}

/** A scheme must be `http` or `https`. */
export function toAddress(address: string): string {
  const { protocol } = new URL(address, 'https://page.example/');
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new TypeError(`Expected an address with http or https, or a path, but got ${address}.`);
  return escapeMarkup(address);
}
