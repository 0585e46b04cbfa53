// Writes a CycloneDX 1.6 bill of materials of the service: `npm run sbom [-- file]`, by default sbom.json. Downloads
// the tool, which is no dependency, because no other script needs it.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { npm, ROOT, run } from './processes.mjs';

const TOOL = '@cyclonedx/cyclonedx-npm@6.0.1';

const file = resolve(process.argv[2] ?? 'sbom.json');
const options = [
  '--omit',
  'dev',
  '--workspace',
  'packages/server',
  '--workspace',
  'packages/parts',
  '--output-reproducible',
];
const command = npm(
  'exec',
  '--yes',
  `--package=${TOOL}`,
  '--',
  'cyclonedx-npm',
  ...options,
  '--output-file',
  file,
);
const code = await run(command);
process.exitCode = code === 0 ? tell() : code;

/** Returns 1 when the bill lacks a direct dependency of the server, otherwise 0. */
function tell() {
  const { components } = JSON.parse(readFileSync(file, 'utf8'));
  const named = new Set(
    components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`)),
  );
  const { dependencies } = JSON.parse(readFileSync(`${ROOT}/packages/server/package.json`, 'utf8'));
  const missing = Object.keys(dependencies).filter((name) => !named.has(name));
  if (missing.length > 0) console.error(`${file} lacks ${missing.join(', ')}.`);
  else console.log(`${components.length} components in ${file}.`);
  return missing.length === 0 ? 0 : 1;
}
