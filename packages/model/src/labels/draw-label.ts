import { escapeMarkup } from './escape-markup.js';
import { ICON_MESSAGES, type LabelIcon, type LabelLanguage } from './label-messages.js';

const HEIGHT = 32;
const PADDING = 12;
const LETTER_WIDTH = 12;

/**
 * Draws the icon of a label as SVG. White letters on a dark background with a white border are readable on
 * every picture: the contrast is 17 to 1 (WCAG 2.2 §1.4.6). Screen readers read the title and the
 * description.
 *
 * @example
 * drawLabel('ai-generated').includes('<title id="title">AI GENERATED</title>'); // => true
 */
export function drawLabel(icon: LabelIcon, language: LabelLanguage = 'en'): string {
  const { width, text, description } = describeLabel(icon, language);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-labelledby="title desc" xml:lang="${language}" lang="${language}">`,
    `<title id="title">${escapeMarkup(text)}</title>`,
    `<desc id="desc">${escapeMarkup(description)}</desc>`,
    drawShapes(text, width),
    '</svg>',
  ].join('');
}

/** The visible parts. */
export function drawShapes(text: string, width: number): string {
  return [
    `<rect x="1" y="1" width="${width - 2}" height="${HEIGHT - 2}" rx="6" fill="#1a1a1a" stroke="#fff" stroke-width="2"/>`,
    `<text x="${width / 2}" y="22" fill="#fff" font-family="Arial, Helvetica, sans-serif" font-size="16" font-weight="700" text-anchor="middle" textLength="${width - 2 * PADDING}" lengthAdjust="spacingAndGlyphs" aria-hidden="true">${escapeMarkup(text)}</text>`,
  ].join('');
}

/** Returns the text and the description of an icon, and its width and height in pixels. */
export function describeLabel(icon: LabelIcon, language: LabelLanguage = 'en') {
  const { icon: texts, about } = ICON_MESSAGES[language];
  const text = texts[icon];
  const width = Array.from(text).length * LETTER_WIDTH + 2 * PADDING;
  return { text, description: about[icon], width, height: HEIGHT };
}
