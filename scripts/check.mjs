// Runs all checks. Of the test files, runs only those of `STRUCTURE` and `BUNDLES`.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { audit } from './audit.mjs';
import { build } from './build.mjs';
import { isBuilt } from './build-stamp.mjs';
import { NOT_CHECKED } from './judge-audit.mjs';
import { lintProse } from './lint-prose.mjs';
import { bin, ROOT, runQuietly } from './processes.mjs';
import { findRepeatedTypes } from './repeated-types.mjs';
import { measureSizes } from './size-budgets.mjs';
import { withTreeLock } from './tree-lock.mjs';

const OPENAPI = 'docs/api/openapi.json';
const STRUCTURE = ['architecture', 'import-effects', 'lockfile'].map(
  (name) => `packages/server/test/${name}.test.ts`,
);
const FIRST_CHECKED = '0f78b96';
const MAX_SUBJECT = 72;
const BUNDLES = 'packages/sdk/test/bundle-size.test.ts';

const STEPS = [
  [
    'format and lint',
    () =>
      runTool(
        bin('biome', 'check', '--colors=off', '--diagnostic-level=error', '--max-diagnostics=200', '.'),
      ),
  ],
  ['build', async () => toResult((await withTreeLock(() => (isBuilt() ? 0 : build()))) === 0)],
  ['types of the page', () => runTool(bin('tsc', '-p', 'packages/web'))],
  ['types of the tests', () => runTool(bin('tsc', '-p', 'tsconfig.test.json'))],
  ['size budgets', checkSizes],
  ['prose', () => toFindings(lintProse())],
  ['names of types', () => toFindings(findRepeatedTypes())],
  ['commit subjects', checkSubjects],
  ['architecture and lock', () => runTool(bin('vitest', 'run', ...STRUCTURE), { TEST_POSTGRES: 'none' })],
  ['sizes of bundles for browsers', () => runTool(bin('vitest', 'run', BUNDLES), { TEST_POSTGRES: 'none' })],
  ['OpenAPI document', checkOpenApi],
  ['known vulnerabilities', checkDependencies],
];

let failed = 0;
for (const [name, step] of STEPS) {
  const startedMs = performance.now();
  const { ok, word, details = '' } = await step();
  if (!ok) failed += 1;
  console.log(
    `${word ?? (ok ? 'ok    ' : 'FAILED')} ${name} (${((performance.now() - startedMs) / 1000).toFixed(1)} s)`,
  );
  if (details.trim() !== '') console.log(details.trim().replace(/^/gm, '       '));
}
console.log(failed === 0 ? 'All checks passed.' : `${failed} of ${STEPS.length} checks failed.`);
process.exitCode = failed === 0 ? 0 : 1;

function toResult(ok, details) {
  return { ok, details };
}

/** Shows the output of a tool only when the tool fails. */
async function runTool(command, environment = {}) {
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, ...environment };
  const { code, stdout, stderr } = await runQuietly(command, { env });
  return toResult(code === 0, code === 0 ? '' : `${stdout}${stderr}`);
}

async function checkSizes() {
  const { warnings, failures } = await measureSizes();
  const details = [
    ...failures.map((text) => `over the limit: ${text}`),
    ...warnings.map((text) => `warning: ${text}`),
  ];
  return toResult(failures.length === 0, details.join('\n'));
}

function toFindings(findings) {
  return toResult(findings.length === 0, findings.join('\n'));
}

async function checkSubjects() {
  const { code, stdout } = await runQuietly(['git', 'log', '--format=%s', `${FIRST_CHECKED}..HEAD`]);
  // A copy without Git history has no commits to check.
  if (code !== 0) return toResult(true, '');
  return toFindings(stdout.split('\n').filter((subject) => subject.length > MAX_SUBJECT));
}

async function checkOpenApi() {
  const { code, stdout, stderr } = await runQuietly([
    process.execPath,
    'packages/server/dist/cli.js',
    'openapi',
  ]);
  if (code !== 0) return toResult(false, `\`colophon openapi\` ended with ${code}:\n${stderr}`);
  const file = join(ROOT, OPENAPI);
  const remedy = `Update it: node packages/server/dist/cli.js openapi > ${OPENAPI}`;
  if (!existsSync(file)) return toResult(false, `${OPENAPI} does not exist. ${remedy}`);
  const difference = firstDifference(JSON.parse(readFileSync(file, 'utf8')), JSON.parse(stdout));
  if (difference === undefined) return toResult(true);
  return toResult(
    false,
    `${OPENAPI} differs from the document of the service, first at ${difference}. ${remedy}`,
  );
}

/** Does not fail when the registry does not answer, because `npm run check` must work offline. */
async function checkDependencies() {
  const { outcome, says } = await audit();
  const word = outcome === NOT_CHECKED ? '???   ' : undefined;
  return { ok: outcome !== 'found', word, details: outcome === 'none' ? '' : says.join('\n') };
}

/** Returns a JSON pointer. */
function firstDifference(a, b, pointer = '#') {
  if (Object.is(a, b)) return undefined;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return pointer;
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const place = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!(key in a && key in b)) return place;
    const found = firstDifference(a[key], b[key], place);
    if (found !== undefined) return found;
  }
  return undefined;
}
