// Renders the documents that the API reference at /docs shows.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { listTexts } from './build-stamp.mjs';
import { ROOT } from './processes.mjs';

/** Writes one file for all texts, because `npx` unpacks each file slowly. */
export async function buildTexts(target) {
  const [{ Marked }, { escapeMarkup }] = await Promise.all([import('marked'), import('@colophon/model')]);
  rmSync(dirname(target), { recursive: true, force: true });
  mkdirSync(dirname(target), { recursive: true });
  const files = listTexts();
  const texts = files.map((file) => {
    const path = file.slice('docs/'.length, -'.md'.length);
    const source = readFileSync(join(ROOT, file), 'utf8');
    const [, title = path] = /^# (.+)$/m.exec(source) ?? [];
    const renderer = rendererFor({ path, files, escapeMarkup });
    return { path, title: title.replaceAll('`', ''), html: new Marked({ renderer }).parse(source) };
  });
  writeFileSync(target, JSON.stringify(texts));
}

/** The name of a table is the heading above it. The ids of headings have the same form as on code hosts. */
function rendererFor({ path, files, escapeMarkup }) {
  const known = new Map();
  const tables = new Map();
  let heading = 'Table';
  return {
    heading({ tokens, depth }) {
      const inner = this.parser.parseInline(tokens);
      heading = this.parser.parseInline(tokens, this.parser.textRenderer);
      const name = toAnchor(heading);
      const count = known.get(name) ?? 0;
      known.set(name, count + 1);
      const id = count === 0 ? name : `${name}-${count}`;
      return depth === 1 ? `<h1>${inner}</h1>\n` : `<h${depth} id="${id}">${inner}</h${depth}>\n`;
    },
    code({ text }) {
      return `<pre><code>${escapeMarkup(text)}</code></pre>\n`;
    },
    table({ header, rows }) {
      const inner = ({ tokens }) => this.parser.parseInline(tokens);
      const head = header.map((cell) => `<th scope="col">${inner(cell)}</th>`);
      const body = rows.map(
        (cells) => `<tr>${cells.map((cell) => `<td>${inner(cell)}</td>`).join('')}</tr>\n`,
      );
      const number = (tables.get(heading) ?? 0) + 1;
      tables.set(heading, number);
      const name = number === 1 ? heading : `${heading} (${number})`;
      return `<div class="table" tabindex="0" role="region" aria-label="${escapeMarkup(name)}"><table><thead><tr>${head.join('')}</tr></thead>\n<tbody>\n${body.join('')}</tbody></table></div>\n`;
    },
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens);
      const address = toAddress({ path, files }, href);
      // The service does not contain the other files of the repository.
      return address === undefined
        ? `${inner} (<code>${escapeMarkup(toFile(path, href))}</code>)`
        : `<a href="${escapeMarkup(address)}">${inner}</a>`;
    },
    // The service does not contain the pictures of the documentation.
    image: () => '',
    html({ text }) {
      return escapeMarkup(text);
    },
  };
}

function toAnchor(text) {
  return text
    .toLowerCase()
    .replaceAll(/&[^;]+;|[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/** Returns undefined for a file that the pages of the reference do not show. */
function toAddress({ path, files }, href) {
  if (/^(https?:|#)/.test(href)) return href;
  const [, fragment = ''] = /(#.*)$/.exec(href) ?? [];
  const file = toFile(path, href);
  if (file === 'docs/README.md') return '/docs#guides';
  if (file === 'docs/api/openapi.json') return '/openapi.json';
  return files.includes(file) ? `/${file.slice(0, -'.md'.length)}${fragment}` : undefined;
}

function toFile(path, href) {
  return posix.join('docs', posix.dirname(path), href.replace(/#.*$/, ''));
}
