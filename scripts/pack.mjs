// `npm pack` of packages/colophon: `stage` builds the service and copies our own packages into app/, where the packed
// command finds them; `clear` removes the copies, since the command would prefer them to the ones of this checkout.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT, run } from './processes.mjs';

const PACKAGE = join(ROOT, 'packages/colophon');
const STAGED = join(PACKAGE, 'app/node_modules/@colophon');
const COPIED = ['LICENSE', 'README.md'];
/** Files that only editors and debuggers read are left out. */
const LEFT_OUT = /\.(map|d\.ts|tsbuildinfo)$|\.build-stamp\.json$/;

async function stage() {
  clear();
  const prepared = await run([process.execPath, fileURLToPath(new URL('prepare.mjs', import.meta.url))]);
  if (prepared !== 0) return prepared;
  for (const name of COPIED) cpSync(join(ROOT, name), join(PACKAGE, name));
  for (const name of ['model', 'sdk', 'server', 'web']) {
    const [from, to] = [join(ROOT, 'packages', name), join(STAGED, name)];
    mkdirSync(to, { recursive: true });
    cpSync(join(from, 'dist'), join(to, 'dist'), { recursive: true, filter: (file) => !LEFT_OUT.test(file) });
    // The package itself asks for their dependencies.
    const { dependencies, devDependencies, optionalDependencies, ...manifest } = JSON.parse(
      readFileSync(join(from, 'package.json'), 'utf8'),
    );
    writeFileSync(join(to, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  }
  return 0;
}

function clear() {
  rmSync(join(PACKAGE, 'app'), { recursive: true, force: true });
  for (const name of COPIED) rmSync(join(PACKAGE, name), { force: true });
}

if (process.argv[2] === 'stage') process.exitCode = await stage();
else clear();
