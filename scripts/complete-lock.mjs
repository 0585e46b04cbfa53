// npm omits optional packages of other platforms from package-lock.json, and `npm ci` then rejects the lock. Run
// `npm run lock` after every change of a dependency.
import { readFileSync, writeFileSync } from 'node:fs';
import { find } from './lock-graph.mjs';
import { npm, ROOT, runQuietly } from './processes.mjs';

const CPUS = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64', 'mips64el', 'wasm32'];
const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const LIBCS = { musl: 'musl', gnu: 'glibc', gnueabihf: 'glibc', musleabihf: 'musl' };
const ENTRY_ORDER = ['version', 'integrity', 'cpu', 'dev', 'libc', 'license', 'optional', 'os', 'engines'];

const views = new Map();
const file = `${ROOT}package-lock.json`;
const before = readFileSync(file, 'utf8');
const lock = JSON.parse(before);

for (const missing of missingOptionals(lock.packages)) {
  lock.packages[`node_modules/${missing.name}`] = await describe(missing);
  console.log(`added ${missing.name}@${missing.version}`);
}
for (const [path, entry] of Object.entries(lock.packages)) {
  if (/^https?:/.test(entry.resolved ?? '')) delete entry.resolved;
  if (path.startsWith('node_modules/') && entry.optional && !entry.integrity) await addIntegrity(path);
}
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')),
);
const after = `${JSON.stringify(lock, null, 2)}\n`;
if (after !== before) writeFileSync(file, after);
console.log(after === before ? 'package-lock.json is complete' : 'package-lock.json was completed');

function missingOptionals(packages) {
  const missing = new Map();
  for (const [path, parent] of Object.entries(packages))
    for (const [name, version] of Object.entries(parent.optionalDependencies ?? {}))
      if (!find(packages, path, name)) missing.set(name, { name, version, parent });
  return [...missing.values()];
}

async function describe({ name, version, parent }) {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    throw new Error(`${name}@${version} is a range. Add its entry to package-lock.json manually`);
  const seen = await view(name, version);
  const sibling = siblingOf(parent, name);
  const derived = platformOf(name, parent);
  const entry = {
    version,
    integrity: seen['dist.integrity'],
    cpu: seen.cpu ?? derived.cpu,
    dev: parent.dev,
    libc: seen.libc ?? derived.libc,
    license: seen.license ?? sibling?.license ?? parent.license,
    optional: true,
    os: seen.os ?? derived.os,
    engines: seen.engines ?? sibling?.engines,
  };
  if (!entry.os && !entry.cpu)
    throw new Error(`The name ${name} contains no platform. Add its entry to package-lock.json manually`);
  return ordered(entry);
}

/** The license and engines of a sibling also apply to the missing package. */
function siblingOf(parent, name) {
  const family = Object.keys(parent.optionalDependencies).filter((other) => other !== name);
  return family.map((other) => lock.packages[`node_modules/${other}`]).find((entry) => entry?.optional);
}

/** `@biomejs/cli-linux-x64-musl` means os linux, cpu x64, libc musl. The same name without `-musl` means libc glibc. */
function platformOf(name, parent) {
  const words = name.replace(/^@[^/]+\//, '').split('-');
  const pick = (known) => words.filter((word) => known.includes(word)).slice(0, 1);
  const libc = words.flatMap((word) => LIBCS[word] ?? []);
  if (`${name}-musl` in parent.optionalDependencies) libc.push('glibc');
  return {
    os: nonEmpty(pick(SYSTEMS)),
    cpu: nonEmpty(pick(CPUS)),
    libc: words.includes('linux') ? nonEmpty(libc) : undefined,
  };
}

function nonEmpty(list) {
  return list.length > 0 ? list : undefined;
}

async function addIntegrity(path) {
  const entry = lock.packages[path];
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const integrity = (await view(name, entry.version))['dist.integrity'];
  if (integrity) lock.packages[path] = ordered({ ...entry, integrity });
  else console.log(`no integrity for ${name}@${entry.version}: the registry did not return it`);
}

/** The result is empty when this machine cannot read the registry. */
async function view(name, version) {
  const spec = `${name}@${version}`;
  if (!views.has(spec)) {
    const fields = ['os', 'cpu', 'libc', 'engines', 'license', 'dist.integrity'];
    const { code, stdout } = await runQuietly(npm('view', spec, ...fields, '--json'));
    views.set(spec, code === 0 && stdout.trim() !== '' ? JSON.parse(stdout) : {});
  }
  return views.get(spec);
}

/** The order is that of npm, so that a later install does not change it. */
function ordered(entry) {
  const rest = Object.keys(entry).filter((key) => !ENTRY_ORDER.includes(key));
  return Object.fromEntries(
    [...ENTRY_ORDER, ...rest].filter((key) => entry[key] !== undefined).map((key) => [key, entry[key]]),
  );
}
