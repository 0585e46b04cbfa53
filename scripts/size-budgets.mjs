import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from './build-stamp.mjs';
import { bin, ROOT, runQuietly } from './processes.mjs';

const FILE_LINES = { unit: 'lines', warn: 250, fail: 400 };
const BY_RULE = {
  'lint/complexity/noExcessiveLinesPerFunction': { of: 'function', unit: 'lines', warn: 50, fail: 80 },
  'lint/complexity/useMaxParams': { of: 'function', unit: 'parameters', warn: 3, fail: 4 },
};
/** Generated files. `schema.d.ts` contains the types that examples/generated-client generates. */
const GENERATED = /\/(node_modules|dist)\/|\/generated-client\/schema\.d\.ts$/;
/** Patterns of code that bypasses the type checker. The linter reports `any` and `!`. */
const ESCAPES = [
  [/\bas\s+unknown\s+as\b/, 'as unknown as'],
  [/@ts-(ignore|nocheck|expect-error)/, 'a silenced type error'],
  [/biome-ignore\S*\s+lint(:|\/\S*(noExplicitAny|noNonNullAssertion))/, 'a silenced rule on types'],
];

export async function measureSizes() {
  const packages = ['model', 'server', 'sdk', 'web'].map((name) => `packages/${name}`);
  const sources = [...packages.map((folder) => `${folder}/src`), 'scripts', 'bench', 'examples'].filter(
    exists,
  );
  const tests = packages.map((folder) => `${folder}/test`).filter(exists);
  const findings = [
    ...[...sources, ...tests].flatMap(measureFiles),
    ...sources.filter((folder) => folder.endsWith('/src')).flatMap(findEscapes),
    ...(await measureFunctions(sources)),
  ];
  const sentences = (level) => findings.filter((finding) => finding.level === level).map(({ says }) => says);
  return { warnings: sentences('warn'), failures: sentences('fail') };
}

function exists(folder) {
  return existsSync(join(ROOT, folder));
}

function readCode(folder) {
  const files = listFiles(join(ROOT, folder)).filter(
    (file) => /\.(ts|tsx|mjs|sql)$/.test(file) && !GENERATED.test(file),
  );
  return files.map((file) => ({
    file: file.slice(ROOT.length),
    lines: readFileSync(file, 'utf8').trimEnd().split('\n'),
  }));
}

function measureFiles(folder) {
  return readCode(folder).flatMap(({ file, lines }) => judge(`${file}: file of`, lines.length, FILE_LINES));
}

function findEscapes(folder) {
  return readCode(folder).flatMap(({ file, lines }) =>
    lines.flatMap((line, index) =>
      ESCAPES.filter(([pattern]) => pattern.test(line)).map(([, name]) => ({
        level: 'fail',
        says: `${file}:${index + 1}: ${name}`,
      })),
    ),
  );
}

/** Biome finds the end of each function. */
async function measureFunctions(folders) {
  const only = Object.keys(BY_RULE).map((rule) => `--only=${rule.replace('lint/', '')}`);
  const command = bin('biome', 'lint', ...only, '--reporter=json', '--max-diagnostics=none', ...folders);
  const { stdout, stderr } = await runQuietly(command);
  if (!stdout.startsWith('{')) throw new Error(`biome could not measure the functions:\n${stderr}`);
  return JSON.parse(stdout).diagnostics.flatMap(({ category, message, location }) => {
    const budget = BY_RULE[category];
    if (budget === undefined) return [];
    const size = Number(/\d+/.exec(message)?.[0]);
    return judge(`${location.path}:${location.start.line}: ${budget.of} of`, size, budget);
  });
}

function judge(what, size, { unit, warn, fail }) {
  if (!(size > warn)) return [];
  const level = size > fail ? 'fail' : 'warn';
  return [{ level, says: `${what} ${size} ${unit} (budget ${warn}, limit ${fail})` }];
}
