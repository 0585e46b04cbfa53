// Installs and builds missing or outdated parts. The argument is the set of packages (install.mjs); the default is
// `start`.
const NODE_NEEDED = 'Node.js 20.19 or later of the 20 line, or 22.12 or later';

process.exitCode = isNodeSupported(process.versions.node) ? await prepare(process.argv[2]) : refuseNode();

async function prepare(set = 'start') {
  const { SETS, install, isInstalled } = await import('./install.mjs');
  const { isBuilt } = await import('./build-stamp.mjs');
  if (!SETS.includes(set)) {
    throw new Error(`Unknown set of packages \`${set}\`. Use one of: ${SETS.join(', ')}.`);
  }
  const typed = set === 'all';
  if (isInstalled(set) && isBuilt({ typed })) return 0;
  const { withTreeLock } = await import('./tree-lock.mjs');
  return withTreeLock(async () => {
    if (!isInstalled(set)) {
      const installed = await install(set);
      if (installed !== 0) return installed;
    }
    if (isBuilt({ typed })) return 0;
    const { build } = await import('./build.mjs');
    return build();
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
