import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

export interface EarlierBuild {
  /** The built `main.js`. */
  main: string;
  remove(): void;
}

/** A shallow checkout may lack the commit. */
export function hasCommit(commit: string): boolean {
  return spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT }).status === 0;
}

/** Uses the installed packages of this checkout. */
export function buildEarlier(commit: string): EarlierBuild {
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-earlier-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 28 });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    linkPackages(folder);
    leaveOutSwaggerUi(folder);
    const tsc = path.join(ROOT, 'node_modules/.bin/tsc');
    execFileSync(tsc, ['-b', 'packages/model', 'packages/sdk', 'packages/server'], { cwd: folder });
    const server = path.join(folder, 'packages/server');
    for (const part of ['migrations', 'functions'])
      execFileSync('cp', [
        '-r',
        path.join(server, 'src/platform/db', part),
        path.join(server, 'dist/platform/db/'),
      ]);
    return { main: path.join(server, 'dist/main.js'), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Swagger UI of an earlier version is no longer installed. */
function leaveOutSwaggerUi(folder: string): void {
  const file = path.join(folder, 'packages/server/src/http/routes/docs-page.ts');
  if (!existsSync(file) || !readFileSync(file, 'utf8').includes("'@fastify/swagger-ui'")) return;
  writeFileSync(file, 'export async function serveDocs(..._: unknown[]): Promise<void> {}\n');
}

/** The earlier build uses its own workspace packages. */
function linkPackages(folder: string): void {
  const [here, there] = [ROOT, folder].map((place) => path.join(place, 'node_modules')) as [string, string];
  mkdirSync(path.join(there, '@colophon'), { recursive: true });
  for (const name of readdirSync(here).filter((one) => one !== '@colophon' && !one.startsWith('.')))
    symlinkSync(path.join(here, name), path.join(there, name));
  for (const name of readdirSync(path.join(folder, 'packages')))
    symlinkSync(path.join(folder, 'packages', name), path.join(there, '@colophon', name));
}
