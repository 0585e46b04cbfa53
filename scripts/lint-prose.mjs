// Finds sentences that are hard to read, in comments and documents. Searches for a short list of openings and phrases.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from './build-stamp.mjs';
import { ROOT } from './processes.mjs';

/** Words that should not begin a sentence. Questions and table headings may begin with them. */
const OPENINGS =
  /(?:^|[.:;] )((?:What|Who|Whoever|Whose|Whom|That which|There where|Such as) [^.?]*[.:;]?)(?=\s|$)/;
const PHRASES =
  /\b((?:is|are|was|were) told(?! apart| from)|in vain|heeds?|heeded|deeds?|anew|whoever|for the truth|of late|so and so)\b/i;
const DOCUMENTS = ['docs', 'bench', 'examples'];
const SOURCES = [
  'bench',
  'packages/model',
  'packages/sdk',
  'packages/server/src',
  'packages/server/test',
  'packages/web/src',
  'packages/web/test',
  'scripts',
];

/** Returns one sentence for each finding, with its location. */
export function lintProse() {
  const documents = DOCUMENTS.flatMap(listMarkdown);
  const sources = SOURCES.flatMap((folder) =>
    listFiles(join(ROOT, folder)).filter(
      (file) => /\.(ts|tsx|mjs|sql)$/.test(file) && !file.includes('/migrations/'),
    ),
  );
  return [
    ...documents.flatMap((file) => lintLines(file, readProse(file))),
    ...sources.flatMap((file) => lintLines(file, readComments(file))),
  ];
}

function listMarkdown(folder) {
  return listFiles(join(ROOT, folder)).filter(
    (file) => file.endsWith('.md') && !file.includes('node_modules'),
  );
}

/** Returns the lines of a document outside of code blocks, as `[number, text]`. */
function readProse(file) {
  let isCode = false;
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trimStart().startsWith('```')) isCode = !isCode;
      return isCode || line.includes('```') ? [] : [[index + 1, line.replace(/^[\s>*#|-]+/, '')]];
    });
}

/** Returns the lines of comments, as `[number, text]`. */
function readComments(file) {
  const comment = file.endsWith('.sql') ? /^\s*--\s?(.*)$/ : /^\s*(?:\/\*\*?|\*|\/\/)\s?(.*?)(?:\*\/)?\s*$/;
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      const text = comment.exec(line)?.[1];
      return text === undefined ? [] : [[index + 1, text]];
    });
}

/** Each line is `[number, text]`. */
export function lintLines(file, lines) {
  return lines.flatMap(([number, text]) => {
    const opening = isStart(lines, number) ? OPENINGS.exec(text) : OPENINGS.exec(` ${text}`);
    const found = opening?.[1] ?? PHRASES.exec(text)?.[1];
    return found === undefined ? [] : [`${file.replace(ROOT, '')}:${number}: "${found.slice(0, 50)}"`];
  });
}

/** Whether a line begins a sentence: the previous line is not prose, or ends with `.`, `:` or `;`. */
function isStart(lines, number) {
  const before = lines.find(([other]) => other === number - 1)?.[1].trim() ?? '';
  return before === '' || /[.:;]$/.test(before);
}
