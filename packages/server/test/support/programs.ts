import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** `names`: the names that the command can have. `debian`: the Debian package. */
interface Program {
  names: readonly string[];
  debian: string;
  /** The variable with the path of the program. If it is set, `PATH` is not searched. */
  variable?: string;
}

/** Chromium with a window also works, and takes more CPU time. */
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

/** Only the `PATH` of root contains this folder. */
const OF_SERVERS = '/usr/sbin';

/** Finds the Python packages that Debian installs. */
export const PYTHON = '/usr/bin/python3';

const hasPythonPackage = (name: string) => spawnSync(PYTHON, ['-c', `import ${name}`]).status === 0;
/** `tools/verify_receipt.py` needs this package. */
export const HAS_PYTHON_CRYPTOGRAPHY = hasPythonPackage('cryptography');
const HAS_PYTHON_CBOR = hasPythonPackage('cbor2');
export const HAS_PYTHON_COSE = HAS_PYTHON_CRYPTOGRAPHY && HAS_PYTHON_CBOR;

export const GO_PATH = '/usr/share/gocode';
const HAS_GO_TLOG = existsSync(path.join(GO_PATH, 'src/golang.org/x/mod/sumdb/tlog'));

/** Tests that need one of these Debian packages are skipped. */
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

export const findBrowser = () => findAnyOf(BROWSER, process.env);

function findAnyOf({ names, variable = '' }: Program, environment: NodeJS.ProcessEnv): string | undefined {
  const given = environment[variable];
  if (given) return existsSync(given) ? given : undefined;
  return names.map((name) => findProgram(name, environment)).find((file) => file !== undefined);
}

export function findProgram(name: string, environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const inPath = (environment.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return [...inPath, OF_SERVERS].map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}

export const HAS_GO_CLIENT = HAS_GO_TLOG && findProgram('go') !== undefined;

export function describeMissing(missing: readonly string[]): string {
  return `apt-get install --no-install-recommends ${missing.join(' ')}`;
}
