import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { lintProse } from '../../../scripts/lint-prose.mjs';

const root = `${mkdtempSync(path.join(tmpdir(), 'colophon-prose-'))}/`;
const PHRASE = 'The caller is told the id.';
/** A banned phrase for each kind of file and folder. */
const PLANTED = {
  ...Object.fromEntries(
    ['README', 'ARCHITECTURE', 'CONTRIBUTING', 'CHANGELOG', 'SECURITY'].map((name) => [
      `${name}.md`,
      `- ${PHRASE}`,
    ]),
  ),
  ...{ 'docs/guides/a.md': PHRASE, 'bench/a.md': PHRASE, 'examples/a.md': PHRASE, 'deploy/a.md': PHRASE },
  ...Object.fromEntries(
    [
      ...['bench/a.mjs', 'examples/a/a.mjs', 'packages/colophon/bin/a.mjs', 'packages/model/src/a.ts'],
      ...['packages/sdk/test/a.ts', 'packages/server/src/a.ts', 'packages/server/test/a.ts'],
      ...['packages/web/src/a.tsx', 'packages/web/test/a.ts', 'scripts/a.mjs'],
    ].map((file) => [file, `/** ${PHRASE} */`]),
  ),
  'packages/parts/package.json': `{\n  "description": "${PHRASE}",\n  "license": "Apache-2.0"\n}`,
  'packages/server/src/a.sql': `-- ${PHRASE}`,
  'examples/a.py': `"""${PHRASE}"""`,
  ...Object.fromEntries(
    ['Caddyfile', 'Dockerfile', '.env.example', 'a.conf', 'a.service', 'helm/a.yaml'].map((name) => [
      `deploy/${name}`,
      `  # ${PHRASE}`,
    ]),
  ),
};

function write(files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(root + file), { recursive: true });
    writeFileSync(root + file, text);
  }
}

afterEach(() => rmSync(root, { recursive: true }));

it('finds a banned phrase in each kind of document and comment', () => {
  write(PLANTED);
  expect(lintProse(root).map((finding) => finding.split(':', 1)[0])).toEqual(
    expect.arrayContaining(Object.keys(PLANTED)),
  );
  expect(lintProse(root)).toHaveLength(Object.keys(PLANTED).length);
});

it('finds a banned opening only where a sentence begins, and not in a question', () => {
  const sentences = ['Who asks gets it.', 'The reader sees who asks.', 'Who made this, and how? Ask.'];
  write({ 'docs/a.md': sentences.join('\n\n') });
  expect(lintProse(root)).toEqual(['docs/a.md:1: "Who asks gets it."']);
});

it('skips code blocks, installed packages, built files and migrations', () => {
  write({
    'docs/a.md': `\`\`\`sh\n# ${PHRASE}\n\`\`\``,
    'examples/node_modules/a/a.mjs': `// ${PHRASE}`,
    'packages/model/dist/a.mjs': `// ${PHRASE}`,
    'packages/server/src/platform/db/migrations/0001-a.sql': `-- ${PHRASE}`,
  });
  expect(lintProse(root)).toEqual([]);
});
