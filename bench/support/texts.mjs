// Pages of English text from the documentation of this project, drawings, and usual alterations of both.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { createNext } from './random.mjs';

const DOCS = new URL('../../docs/', import.meta.url);
/** Number of recorded files of each kind, and of files that nobody recorded. */
export const COUNT = 60;
const FOLDERS = ['decisions', 'guides', 'operate', 'spec'];
/** The page ends after the first paragraph that reaches this number. */
const PAGE_WORDS = 350;
const MAX_PAGE_WORDS = 800;
const SALT = 0x74657874;

/** No two pages have a paragraph in common. */
export function listPages(count) {
  const pages = FOLDERS.flatMap((folder) =>
    readdirSync(new URL(folder, DOCS))
      .sort()
      .flatMap((name) => toPages(readFileSync(new URL(`${folder}/${name}`, DOCS), 'utf8'))),
  );
  if (pages.length < count) throw new Error(`The documentation has only ${pages.length} pages.`);
  return pages.slice(0, count);
}

const unrecorded = () => listPages(2 * COUNT).filter((_, at) => at % 2 === 1);

function toPages(text) {
  const pages = [];
  let page = [];
  for (const paragraph of text.split(/\n{2,}/)) {
    page.push(paragraph);
    const words = countWords(page.join(' '));
    if (words < PAGE_WORDS) continue;
    if (words <= MAX_PAGE_WORDS) pages.push(page.join('\n\n'));
    page = [];
  }
  return pages;
}

const countWords = (text) => text.split(/\s+/).length;

function wrap(text, width) {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    if (lines.at(-1).length + word.length >= width) lines.push('');
    lines.push(`${lines.pop()} ${word}`.trimStart());
  }
  return lines;
}

const quote = (text) =>
  `Ann wrote:\n${wrap(text, 60)
    .map((line) => `> ${line}`)
    .join('\n')}\n`;

const halves = (text) => {
  const words = text.split(/\s+/);
  return [words.slice(0, words.length >> 1).join(' '), words.slice(words.length >> 1).join(' ')];
};

function replaceWords(text, share, number) {
  const next = createNext(number, SALT);
  const others = unrecorded()
    .join(' ')
    .match(/[A-Za-z]{2,}/g);
  return text.replaceAll(/[A-Za-z]{2,}/g, (word) =>
    next() < share ? others[Math.floor(next() * others.length)] : word,
  );
}

const changeTypography = (text) =>
  text
    .toLowerCase()
    .replaceAll(/"([^"]*)"/g, '“$1”')
    .replaceAll("'", '’')
    .replaceAll(' - ', ' – ')
    .replaceAll('fi', 'ﬁ')
    .replaceAll('fl', 'ﬂ')
    .replaceAll(/[*`#|]/g, '');

function enclose(text, number) {
  const others = unrecorded();
  const [before, after] = [17, 41].map((step) =>
    others[(number + step) % others.length].split(/\s+/).slice(0, 150).join(' '),
  );
  return `${before}\n\n${text}\n\n${after}`;
}

const escapeText = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const paragraphsOf = (text) => text.split('\n\n').map((paragraph) => `<p>${escapeText(paragraph)}</p>`);
const toHtml = (text) => `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>A page</title><style>p { margin: 1em; color: #222 }</style></head>
<body>
<main>
${paragraphsOf(text).join('\n')}
</main>
</body>
</html>
`;
const toOtherSite = (text) => `<html><head><title>Reader</title><script>let seen = true;</script></head>
<body class="dark wide"><nav><a href="/">Home</a> <a href="/news">News</a> <a href="/about">About us</a></nav>
<div id="content"><article>${paragraphsOf(text).join('<br>')}</article></div>
<footer>All rights reserved. Contact, imprint, cookies.</footer></body></html>`;

async function toPdf(text) {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const lines = wrap(text.replaceAll(/[^\x20-\x7e\n]/g, ' '), 85);
  for (let at = 0; at < lines.length; at += 50) {
    const page = pdf.addPage([595, 842]);
    page.drawText(lines.slice(at, at + 50).join('\n'), { x: 50, y: 780, size: 11, lineHeight: 14, font });
  }
  return pdf.save();
}

async function saveAgain(file) {
  const pdf = await PDFDocument.load(file);
  pdf.setProducer('Another program');
  return pdf.save({ useObjectStreams: false });
}

const pipe = (command, flags, input) =>
  execFileSync(command, flags, { input, maxBuffer: 2 ** 26, stdio: ['pipe', 'pipe', 'ignore'] });

/** Each kind makes a file from a page. An alteration takes the file, its page and its number. */
export const PAGE_KINDS = {
  text: {
    ...{ name: 'texts', type: 'text/plain', make: (page) => page },
    alterations: {
      'text: quoted with > in lines of 60 characters': (text) => quote(text),
      'text: its first half': (text) => halves(text)[0],
      'text: its second half': (text) => halves(text)[1],
      'text: its first quarter': (text) => halves(halves(text)[0])[0],
      'text: between two other texts of 150 words': (text, { number }) => enclose(text, number),
      'text: 10 % of the words replaced': (text, { number }) => replaceWords(text, 0.1, number),
      'text: 20 % of the words replaced': (text, { number }) => replaceWords(text, 0.2, number),
      'text: 40 % of the words replaced': (text, { number }) => replaceWords(text, 0.4, number),
      'text: lower case, other quotes, dashes and ligatures, no markup': changeTypography,
      'text: as a page of HTML': { to: 'text/html', alter: toHtml },
    },
  },
  html: {
    ...{ name: 'pages of HTML', type: 'text/html', make: toHtml },
    alterations: {
      'HTML: only its text': { to: 'text/plain', alter: (_, { page }) => page },
      'HTML: in the page of another site': (_, { page }) => toOtherSite(page),
      'HTML: its first half as text': { to: 'text/plain', alter: (_, { page }) => halves(page)[0] },
    },
  },
  pdf: {
    ...{ name: 'PDFs', type: 'application/pdf', make: toPdf },
    alterations: {
      'PDF: saved again by pdf-lib': saveAgain,
      'PDF: saved again by pdftocairo': (file) => pipe('pdftocairo', ['-pdf', '-', '-'], file),
      'PDF: only its text': {
        to: 'text/plain',
        alter: (file) => pipe('pdftotext', ['-layout', '-', '-'], file),
      },
      'PDF: its first half': (_, { page }) => toPdf(halves(page)[0]),
    },
  },
};

function draw(_, number) {
  const next = createNext(number, SALT ^ 0x7376);
  const at = (most) => (most * next()).toFixed(3);
  const colour = () =>
    `#${Math.floor(next() * 0xffffff)
      .toString(16)
      .padStart(6, '0')}`;
  const shapes = [
    () => `<circle cx="${at(640)}" cy="${at(480)}" r="${at(60)}" fill="${colour()}"/>`,
    () => `<rect x="${at(640)}" y="${at(480)}" width="${at(200)}" height="${at(90)}" fill="${colour()}"/>`,
    () =>
      `<path d="M${at(640)} ${at(480)} C${at(640)} ${at(480)} ${at(640)} ${at(480)} ${at(640)} ${at(480)}" stroke="${colour()}"/>`,
    () =>
      `<text x="${at(640)}" y="${at(480)}" font-size="${12 + Math.floor(20 * next())}">Item ${Math.floor(1000 * next())}</text>`,
  ];
  const used = [shapes, shapes.slice(0, 2), shapes.slice(2)][number % 3];
  const parts = Array.from({ length: 24 + Math.floor(37 * next()) }, () =>
    used[Math.floor(used.length * next())](),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480" viewBox="0 0 640 480">\n${parts.join('\n')}\n</svg>`;
}

const round = (svg, digits) =>
  svg.replaceAll(/\d+\.\d+/g, (value) => String(Number(Number(value).toFixed(digits))));
function thin(svg, share, number) {
  const next = createNext(number, SALT);
  const lines = svg.split('\n');
  return lines.filter((_, at) => at === 0 || at === lines.length - 1 || next() >= share).join('\n');
}
const turnAttributes = (svg) =>
  svg
    .replaceAll(/<(circle|rect|text) (\S+) (\S+) /g, '<$1 $3 $2 ')
    .replaceAll(/>\n/g, '>')
    .replace('<svg', '<svg xmlns:edit="http://example.org/edit" edit:version="2"');

export const DRAWING = {
  ...{ name: 'SVG files', type: 'image/svg+xml', make: draw },
  alterations: {
    'SVG: minified, attributes in another order': turnAttributes,
    'SVG: numbers with 2 of 3 decimals': (svg) => round(svg, 2),
    'SVG: numbers with 1 of 3 decimals': (svg) => round(svg, 1),
    'SVG: numbers without decimals': (svg) => round(svg, 0),
    'SVG: one colour for all shapes': (svg) => svg.replaceAll(/#[0-9a-f]{6}/g, '#336699'),
    'SVG: without 20 % of its elements': (svg, { number }) => thin(svg, 0.2, number),
    'SVG: without half of its elements': (svg, { number }) => thin(svg, 0.5, number),
    'SVG: in a group that scales it': (svg) =>
      svg.replace('\n', '\n<g transform="scale(0.5)">\n').replace('\n</svg>', '\n</g>\n</svg>'),
  },
};
