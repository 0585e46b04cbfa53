import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * A program that tests need in addition to Node. `names`: the names that its command can have. `debian`: the Debian
 * package that contains it.
 */
interface Program {
  names: readonly string[];
  debian: string;
  /** An environment variable with the path of the program. If it is set, `PATH` is not searched. */
  variable?: string;
}

/** The Debian package of the browser. Chromium with a window also works, and takes more CPU time for the same tests. */
export const BROWSER_PACKAGE = 'chromium-headless-shell';
const BROWSER: Program = {
  names: ['chromium-headless-shell', 'chromium'],
  debian: BROWSER_PACKAGE,
  variable: 'CHROMIUM',
};

const PROGRAMS: readonly Program[] = [
  BROWSER,
  { names: ['valkey-server', 'redis-server'], debian: 'redis-server' },
  { names: ['fpcalc'], debian: 'libchromaprint-tools' },
  { names: ['ffmpeg'], debian: 'ffmpeg' },
  { names: ['curl'], debian: 'curl' },
  { names: ['openssl'], debian: 'openssl' },
  { names: ['python3'], debian: 'python3' },
  { names: ['pgbouncer'], debian: 'pgbouncer' },
  { names: ['nginx'], debian: 'nginx' },
  { names: ['go'], debian: 'golang-go' },
  { names: ['pdftotext'], debian: 'poppler-utils' },
];

/** Debian installs servers here. Only the `PATH` of root contains this folder. */
const OF_SERVERS = '/usr/sbin';

/** Debian's Python. It finds the Python packages that Debian installs. */
export const PYTHON = '/usr/bin/python3';

const hasPythonPackage = (name: string) => spawnSync(PYTHON, ['-c', `import ${name}`]).status === 0;
/** Whether Python has the package that `tools/verify_receipt.py` needs. */
export const HAS_PYTHON_CRYPTOGRAPHY = hasPythonPackage('cryptography');
const HAS_PYTHON_CBOR = hasPythonPackage('cbor2');
/** Whether Python has the packages that the COSE tests need. */
export const HAS_PYTHON_COSE = HAS_PYTHON_CRYPTOGRAPHY && HAS_PYTHON_CBOR;

/** Debian's folder of Go packages. */
export const GO_PATH = '/usr/share/gocode';
const HAS_GO_TLOG = existsSync(path.join(GO_PATH, 'src/golang.org/x/mod/sumdb/tlog'));

/** The Debian packages of missing programs and of missing Python and Go packages. Tests that need one are skipped. */
export function missingPrograms(environment: NodeJS.ProcessEnv = process.env): string[] {
  const missing = PROGRAMS.filter((program) => !isHere(program, environment)).map(({ debian }) => debian);
  return [
    ...missing,
    ...(HAS_PYTHON_CRYPTOGRAPHY ? [] : ['python3-cryptography']),
    ...(HAS_PYTHON_CBOR ? [] : ['python3-cbor2']),
    ...(HAS_GO_TLOG ? [] : ['golang-golang-x-mod-dev']),
  ];
}

const isHere = (program: Program, environment: NodeJS.ProcessEnv) =>
  findAnyOf(program, environment) !== undefined;

/** The path of the browser; undefined without it. */
export const findBrowser = () => findAnyOf(BROWSER, process.env);

function findAnyOf({ names, variable = '' }: Program, environment: NodeJS.ProcessEnv): string | undefined {
  const given = environment[variable];
  if (given) return existsSync(given) ? given : undefined;
  return names.map((name) => findProgram(name, environment)).find((file) => file !== undefined);
}

/** The path of an installed program; undefined without it. */
export function findProgram(name: string, environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const inPath = (environment.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return [...inPath, OF_SERVERS].map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}

/** Whether Go and its package for tiled logs are here. */
export const HAS_GO_CLIENT = HAS_GO_TLOG && findProgram('go') !== undefined;

/** The command that installs the missing packages. */
export function describeMissing(missing: readonly string[]): string {
  return `apt-get install --no-install-recommends ${missing.join(' ')}`;
}
