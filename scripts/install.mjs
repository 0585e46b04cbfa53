// Installs the packages that a command needs. There are three sets of packages, and each set includes the previous one:
// `start` builds and runs the service, `parts` adds the packages of some settings and commands, and `all` adds those of
// tests, benchmarks, examples and checks.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from './build-stamp.mjs';
import { reachable } from './lock-graph.mjs';
import { npm, ROOT, run } from './processes.mjs';

export const SETS = ['start', 'parts', 'all'];
const WORKSPACES = {
  start: ['packages/colophon', 'packages/server', 'scripts'],
  parts: ['packages/colophon', 'packages/server', 'scripts', 'packages/parts'],
};
/** A package of each set that the smaller sets do not have. */
const MARKS = { parts: 'viem', all: 'vitest' };
const SLIM = join(ROOT, 'node_modules/.slim');

/** Whether all packages of the set are installed. Optional packages may be missing. */
export function isInstalled(set) {
  const record = join(ROOT, 'node_modules/.package-lock.json');
  if (!existsSync(record) || (set === 'all' && existsSync(SLIM))) return false;
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages;
  const wanted = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
  return pathsOf(set, wanted).every((path) => {
    const { version, integrity, optional, devOptional } = wanted[path];
    const found = installed[path];
    if (found === undefined) return optional === true || devOptional === true;
    return found.version === version && (integrity === undefined || found.integrity === integrity);
  });
}

function pathsOf(set, packages) {
  const paths = set === 'all' ? Object.keys(packages) : reachable(packages, WORKSPACES[set]);
  return paths.filter((path) => path.startsWith('node_modules/') && !packages[path].link);
}

/**
 * Installs the set `asked`. If a larger set is already installed, installs this larger set again. Resolves to npm's
 * exit code.
 */
export async function install(asked) {
  const set = SETS.findLast(
    (one) => one === asked || existsSync(join(ROOT, 'node_modules', MARKS[one] ?? '.none')),
  );
  const isAll = set === 'all';
  console.log(`Installing ${isAll ? 'all dependencies' : 'what the service needs'} (first time only)...`);
  const filter = isAll
    ? ['--include=dev']
    : ['--omit=dev', ...WORKSPACES[set].flatMap((name) => ['-w', name])];
  const code = await run(npm('ci', ...filter, '--no-audit', '--no-fund', '--loglevel=error'));
  if (code === 0 && !isAll) slim();
  return code;
}

/** Deletes files that the service does not need, which halves its disk space. */
function slim() {
  for (const file of listFiles(join(ROOT, 'node_modules')))
    if (/\.(map|[cm]?ts|md)$/.test(file) && !/licen[cs]e/i.test(file)) rmSync(file);
  writeFileSync(SLIM, 'Without typings and source maps: `npm ci` installs them.\n');
}
