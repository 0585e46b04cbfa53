// Runs the benchmarks that are named, or all of them: `npm run bench [-- name...]`.
import { createReport } from './support/report.mjs';

const NAMES = [
  'recording',
  'batch',
  'embedded',
  'bundles',
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
  'sounds',
  'log',
  'beside',
  'verify',
  'proofs',
  'anchoring',
  'explore',
];

const chosen = process.argv.slice(2);
if (chosen.includes('--help')) {
  console.log(`npm run bench [-- name...]\n\nAll of them, or those that are named: ${NAMES.join(', ')}.`);
  process.exit();
}
const unknown = chosen.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}; there are ${NAMES.join(', ')}.`);
  process.exit(2);
}
// Builds what is out of date, as before `npm start`.
await import('../scripts/prepare.mjs');
if (process.exitCode !== 0) process.exit();

const report = createReport();
const startedMs = performance.now();
for (const name of chosen.length > 0 ? chosen : NAMES) {
  const { run } = await import(`./${name}.mjs`);
  await run(report);
}
report.close();
console.log(`Took ${Math.round((performance.now() - startedMs) / 1000)} s.`);
