// Finds sentences that are hard to read, in comments and documents.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from './build-stamp.mjs';
import { ROOT } from './processes.mjs';

/** Words that should not begin a sentence. Questions and table headings may begin with them. */
const OPENINGS =
  /(?:^|[.:;] )((?:What|Who|Whoever|Whose|Whom|That which|There where|Such as) (?![^.:;]*\?)[^.?]*[.:;]?)(?=\s|$)/;
const PHRASES =
  /\b((?:is|are|was|were) told(?! apart| from)|in vain|heeds?|heeded|deeds?|anew|whoever|for the truth|of late|so and so)\b/i;
const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'docs',
  'bench',
  'examples',
  'deploy',
];
const SOURCES = [
  'bench',
  'deploy',
  'examples',
  'packages/colophon',
  'packages/model',
  'packages/parts',
  'packages/sdk',
  'packages/server/src',
  'packages/server/test',
  'packages/web/src',
  'packages/web/test',
  'scripts',
];
/** The group of the second pattern is the text of the comment. In JSON files, this text is a description. */
const COMMENTS = [
  [/\.(ts|tsx|mjs)$/, /^\s*(?:\/\*\*?|\*|\/\/)\s?(.*?)(?:\*\/)?\s*$/],
  [/\.sql$/, /^\s*--\s?(.*)$/],
  [/\.json$/, /^\s*"description": "(.*)",?$/],
  [/\.py$|\.ya?ml$|\.conf$|\.service$|\/(Caddyfile|Dockerfile|\.env\.example)$/, /^\s*(?:"{3}|#)\s?(.*)$/],
];

export function lintProse(root = ROOT) {
  const list = (entries) => entries.flatMap((entry) => listOwn(join(root, entry)));
  const documents = list(DOCUMENTS).filter((file) => file.endsWith('.md'));
  const findings = [
    ...documents.flatMap((file) => lintLines(file, readProse(file))),
    ...list(SOURCES).flatMap((file) => lintLines(file, readComments(file))),
  ];
  return findings.map((finding) => finding.replace(root, ''));
}

function listOwn(entry) {
  const files = entry.endsWith('.md') && existsSync(entry) ? [entry] : listFiles(entry);
  return files.filter((file) => !/\/(node_modules|dist|migrations)\//.test(file));
}

/** Omits code blocks. Each line is `[number, text]`. */
function readProse(file) {
  let isCode = false;
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trimStart().startsWith('```')) isCode = !isCode;
      return isCode || line.includes('```') ? [] : [[index + 1, line.replace(/^[\s>*#|-]+/, '')]];
    });
}

function readComments(file) {
  const comment = COMMENTS.find(([name]) => name.test(file))?.[1];
  if (comment === undefined) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      const text = comment.exec(line)?.[1];
      return text === undefined ? [] : [[index + 1, text]];
    });
}

function lintLines(file, lines) {
  return lines.flatMap(([number, text]) => {
    const opening = isStart(lines, number) ? OPENINGS.exec(text) : OPENINGS.exec(` ${text}`);
    const found = opening?.[1] ?? PHRASES.exec(text)?.[1];
    return found === undefined ? [] : [`${file}:${number}: "${found.slice(0, 50)}"`];
  });
}

/** Whether a line begins a sentence: the previous line is not prose, or ends with `.`, `:` or `;`. */
function isStart(lines, number) {
  const before = lines.find(([other]) => other === number - 1)?.[1].trim() ?? '';
  return before === '' || /[.:;]$/.test(before);
}
