// Runs the named benchmarks, or all: `npm run bench [-- name... --option=value...]`.
import { HELP } from './main-job/options.mjs';
import { createReport } from './support/report.mjs';

const NAMES = [
  'quick',
  'full',
  'sizes',
  'bundles',
  'growth',
  'cluster',
  'map',
  'replica',
  'upload',
  'requests',
  'usage',
  'revocation',
  'keys',
  'similarity',
  'media',
  'loop',
  'shares',
  'nearest',
  'texts',
  'sounds',
  'videos',
  'log',
  'beside',
  'verify',
  'proofs',
  'witnesses',
  'anchoring',
  'explore',
  'fairness',
  'marking',
];

const given = process.argv.slice(2);
if (given.includes('--help')) {
  console.log(`npm run bench [-- name... --option=value...]\n
Runs the named benchmarks, or all: ${NAMES.join(', ')}.\n\n${HELP}`);
  process.exit();
}
const chosen = given.filter((argument) => !argument.startsWith('--'));
const options = Object.fromEntries(
  given.filter((argument) => argument.startsWith('--')).map((argument) => argument.slice(2).split('=', 2)),
);
const unknown = chosen.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown benchmark ${unknown.join(', ')}. Use one of: ${NAMES.join(', ')}.`);
  process.exit(2);
}

// `process.exit` also ends the child processes (see endWithUs).
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

const report = createReport();
const startedMs = performance.now();
for (const name of chosen.length > 0 ? chosen : NAMES) {
  const { run } = await import(`./${name}.mjs`);
  await run(report, options);
}
report.close();
console.log(`Took ${Math.round((performance.now() - startedMs) / 1000)} s.`);
