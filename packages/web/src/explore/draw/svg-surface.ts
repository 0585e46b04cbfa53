import { FONT } from './canvas-surface.js';
import {
  arrowCorners,
  curveSegments,
  type Fill,
  type Line,
  type Surface,
  type TextStyle,
} from './surface.js';

/** Creates an SVG document. It contains its pictures as data URLs. */
export interface SvgSurface extends Surface {
  /** `left`, `top`: the upper left corner. */
  toText(view: {
    left: number;
    top: number;
    width: number;
    height: number;
    title: string;
    paper: string;
  }): string;
}

/** Average width of a letter relative to the font size. Text cannot be measured without a canvas. */
const LETTER = 0.56;

export function createSvgSurface(toDataUrl: (bitmap: ImageBitmap) => string): SvgSurface {
  const parts: string[] = [];
  let opacity: number | undefined;
  return {
    fade(share) {
      opacity = share === 1 ? undefined : share;
    },
    box({ x, y, width, height }, style) {
      parts.push(element('rect', { x, y, width, height, rx: style.radius, opacity, ...paint(style) }));
    },
    text(text, { x, y, width }, style) {
      parts.push(
        `${open('text', { x, y: y + style.size * 0.35, opacity, ...letters(text, width, style) })}${escaped(text)}</text>`,
      );
    },
    curve(points, style) {
      parts.push(element('path', { d: toPathData(points), fill: 'none', opacity, ...line(style) }));
    },
    arrow(at, color) {
      parts.push(element('path', { d: `M${arrowCorners(at).map(round).join(' ')}Z`, fill: color, opacity }));
    },
    picture({ x, y, width, height }, bitmap) {
      const preserveAspectRatio = 'xMidYMid slice';
      parts.push(
        element('image', { x, y, width, height, preserveAspectRatio, opacity, href: toDataUrl(bitmap) }),
      );
    },
    toText({ left, top, width, height, title, paper }) {
      const [viewBox, xmlns] = [
        [left, top, width, height].map(round).join(' '),
        'http://www.w3.org/2000/svg',
      ];
      return [
        open('svg', { xmlns, viewBox, width, height, role: 'img', 'font-family': FONT }),
        `<title>${escaped(title)}</title>`,
        element('rect', { x: left, y: top, width, height, fill: paper }),
        ...parts,
        '</svg>\n',
      ].join('\n');
    },
  };
}

type Attributes = Record<string, string | number | undefined>;

function paint({ fill = 'none', stroke, lineWidth = 1, dash }: Fill): Attributes {
  return { fill, ...(stroke === undefined ? {} : line({ stroke, lineWidth, dash })) };
}

function line({ stroke, lineWidth, dash }: Line): Attributes {
  return { stroke, 'stroke-width': lineWidth, 'stroke-dasharray': dash?.join(' ') };
}

/** Limits the width of a long text, as `fillText` of a canvas does. */
function letters(text: string, width: number, { color, size, isBold, isCentred }: TextStyle): Attributes {
  const isWide = text.length * size * LETTER > width;
  return {
    fill: color,
    'font-size': size,
    'font-weight': isBold ? 600 : undefined,
    'text-anchor': isCentred ? 'middle' : undefined,
    textLength: isWide ? width : undefined,
    lengthAdjust: isWide ? 'spacingAndGlyphs' : undefined,
  };
}

function toPathData(points: readonly number[]): string {
  const start = `M${points.slice(0, 2).map(round).join(' ')}`;
  return [start, ...curveSegments(points).map((segment) => `C${segment.map(round).join(' ')}`)].join('');
}

function element(name: string, attributes: Attributes): string {
  return open(name, attributes).replace(/>$/, '/>');
}

function open(name: string, attributes: Attributes): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escaped(typeof value === 'number' ? round(value) : value)}"`],
  );
  return `<${name}${written.join('')}>`;
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text or an attribute. Removes the characters that XML 1.0 §2.2 does not allow. */
function escaped(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes control characters
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu, '')
      .replace(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter)
  );
}
