// Runs before start, test, dev and doctor: installs and builds what is missing or out of date, else does nothing.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const NODE_NEEDED = 'Node.js 20.19 or later of the 20 line, or 22.12 or later';

process.exitCode = isNodeSupported(process.versions.node) ? await prepare() : refuseNode();

async function prepare() {
  const { npm, ROOT, run } = await import('./processes.mjs');
  const { isBuilt } = await import('./build-stamp.mjs');
  if (isInstalled(ROOT) && isBuilt()) return 0;
  const { withTreeLock } = await import('./tree-lock.mjs');
  return withTreeLock(async () => {
    if (!isInstalled(ROOT)) {
      console.log('Installing dependencies (first start only)...');
      const installed = await run(npm('ci', '--include=dev', '--no-audit', '--no-fund'));
      if (installed !== 0) return installed;
    }
    if (isBuilt()) return 0;
    const { build } = await import('./build.mjs');
    return build();
  });
}

/**
 * Whether node_modules holds what package-lock.json asks for, by npm's own record of what it put there. The
 * packages of other platforms are not expected.
 */
function isInstalled(root) {
  const record = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    if (!path.startsWith('node_modules/')) return true;
    const found = installed[path];
    if (found === undefined) return optional === true;
    return found.version === version && (integrity === undefined || found.integrity === integrity);
  });
}

function isNodeSupported(version) {
  const [major, minor] = version.split('.').map(Number);
  return major === 20 ? minor >= 19 : major === 22 ? minor >= 12 : major > 22;
}

function refuseNode() {
  console.error(
    `Colophon needs ${NODE_NEEDED}; this is ${process.versions.node} (${process.execPath}).\n` +
      'Install the current LTS release from https://nodejs.org, or with your version manager ' +
      '(for example: nvm install 22), and run the command again.',
  );
  return 1;
}
