import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { UsageError } from './usage.js';

const FILE = '.env';
/** The build copies docs/operate/configuration.md to this place. */
const DOCUMENT = new URL('configuration.md', import.meta.url);
const PRIVATE_FILE = 0o600;
const LINE_LENGTH = 100;

export function initCommand(argv: string[]): void {
  parseArgs({ args: argv });
  const content = toEnvironmentFile(readFileSync(DOCUMENT, 'utf8'));
  try {
    writeFileSync(FILE, content, { flag: 'wx', mode: PRIVATE_FILE });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new UsageError(`${FILE} already exists, and is not changed.`);
  }
  process.stdout.write(
    `${FILE} names every variable. Uncomment what you need; \`colophon serve\` in this directory reads it.\n`,
  );
}

function toEnvironmentFile(markdown: string): string {
  const head =
    '# Configuration of Colophon, read at start. Variables of the environment have precedence over this file.\n';
  const [ofService = ''] = markdown.split('\n## The command line');
  const rows = [...ofService.matchAll(/^\| (`[A-Z][^|]*?) \|([^|]*)\| (.*) \|$/gm)];
  const entries = rows.map(([, names = '', fallback = '', meaning = '']) => {
    const words =
      fallback.trim() === '' ? toText(meaning) : `${toText(meaning)} (default: ${toText(fallback)})`;
    const variables = [...names.matchAll(/`([A-Z][A-Z0-9_]*)`/g)].map(([, name]) => `#${name}=\n`);
    return variables.length === 0 ? '' : `\n${toComment(words)}${variables.join('')}`;
  });
  return head + entries.join('');
}

function toText(markdown: string): string {
  return markdown
    .replaceAll(/ ?\(\[more\]\([^)]*\)\)/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .trim();
}

function toComment(words: string): string {
  const lines = words.match(new RegExp(`.{1,${LINE_LENGTH}}(?= |$)`, 'g')) ?? [];
  return lines.map((line) => `# ${line.trim()}\n`).join('');
}
