import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { reachable } from '../../../scripts/lock-graph.mjs';
import { PARTS } from '../src/cli/missing-part.js';

interface Locked {
  version?: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  devOptional?: boolean;
  link?: boolean;
  os?: string[];
  resolved?: string;
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
type Packages = Record<string, Locked>;

const ROOT = new URL('../../../', import.meta.url);
const REMEDY = 'run `npm run lock`';

/** Permissive licences, and the LGPL for libraries that are loaded unchanged. */
const LICENCES = [
  ...[
    '0BSD',
    'Apache-2.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'BlueOak-1.0.0',
    'ISC',
    'MIT',
    'Unlicense',
    'Zlib',
  ],
  ...['LGPL-3.0', 'LGPL-3.0-or-later'],
];
/** The libraries of sharp and of HEIF. */
const LGPL = /^node_modules\/(@img\/sharp-[\w-]+|libheif-js)$/;

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(new URL(file, ROOT), 'utf8')) as T;
}

function isLocked(packages: Packages, from: string, name: string): boolean {
  const places = from.split('/').map((_, index, parts) => `${parts.slice(0, index + 1).join('/')}/`);
  return ['', ...places].some((place) => `${place}node_modules/${name}` in packages);
}

function missingOptionals(packages: Packages): string[] {
  return Object.entries(packages).flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !isLocked(packages, path, name))
      .map((name) => `${name} of ${path}`),
  );
}

function downloadAddresses(packages: Packages): string[] {
  return Object.values(packages).flatMap(({ resolved = '' }) =>
    /^\w+:\/\//.test(resolved) ? [resolved] : [],
  );
}

function foreignLicences(packages: Packages): string[] {
  return Object.entries(packages)
    .filter(
      ([path, { dev, devOptional, link }]) => path.includes('node_modules/') && !dev && !devOptional && !link,
    )
    .filter(([path, { license = 'none' }]) => !isAllowed(path, license))
    .map(([path, { license }]) => `${path}: ${license}`);
}

/** SPDX: `AND` needs all parts, `OR` one. */
function isAllowed(path: string, expression: string): boolean {
  const bare = expression.replaceAll(/[()]/g, '');
  return bare
    .split(' OR ')
    .some((choice) =>
      choice
        .split(' AND ')
        .every((name) => LICENCES.includes(name) && (!name.startsWith('LGPL') || LGPL.test(path))),
    );
}

function unsealed(packages: Packages): string[] {
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .filter(([, { integrity }]) => integrity === undefined)
    .map(([path]) => path);
}

function only(packages: Packages, paths: readonly string[]): Packages {
  return Object.fromEntries(Object.entries(packages).filter(([path]) => paths.includes(path)));
}

/** `npm start` installs these, because the service needs them too. */
const SHARED = ['@colophon/model', '@colophon/sdk', 'asn1js', 'multiformats', 'pkijs', 'yaml'];

const isExact = (version: string) => /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version);

describe('package-lock.json', () => {
  const { packages } = readJson<{ packages: Packages }>('package-lock.json');

  it('contains the optional packages of every platform, otherwise npm ci rejects it', () => {
    expect(missingOptionals(packages), REMEDY).toEqual([]);
  });

  it('records no download address', () => {
    expect(downloadAddresses(packages), REMEDY).toEqual([]);
  });

  it.each(['', ...readJson<{ workspaces: string[] }>('package.json').workspaces])(
    'locks the dependencies in package.json of "%s"',
    (path) => {
      const manifest = readJson<Locked>(`${path === '' ? '.' : path}/package.json`);
      for (const field of ['dependencies', 'devDependencies', 'optionalDependencies'] as const)
        expect(packages[path]?.[field] ?? {}, 'run `npm install`').toEqual(manifest[field] ?? {});
    },
  );

  it('is created from exact versions', () => {
    const { workspaces } = readJson<{ workspaces: string[] }>('package.json');
    const ranges = ['.', ...workspaces].flatMap((path) => {
      const manifest = readJson<Locked>(`${path}/package.json`);
      const { dependencies, devDependencies, optionalDependencies } = manifest;
      return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
        .filter(([, version]) => !isExact(version))
        .map(([name, version]) => `${path}: ${name} ${version}`);
    });
    expect(ranges).toEqual([]);
  });

  const service = only(packages, reachable(packages, ['packages/server', 'packages/parts']));

  it('locks the content of every package in the service', () => {
    expect(unsealed(service)).toEqual([]);
  });

  it('has only packages with an allowed licence in the service', () => {
    expect(foreignLicences(service)).toEqual([]);
  });

  it('allows `npm start` to omit packages that only some settings, commands, tests and examples need', () => {
    const started = reachable(packages, ['packages/server', 'scripts']);
    const named = ['', 'packages/server', 'packages/sdk', 'packages/web', 'packages/model'].flatMap((path) =>
      Object.keys(packages[path]?.devDependencies ?? {}),
    );
    const left = [...named, ...Object.keys(packages['packages/parts']?.dependencies ?? {})];
    expect(left).toEqual(expect.arrayContaining(['vitest', 'typescript', 'viem', '@foundry-rs/anvil']));
    const shared = left.filter((name) => started.includes(`node_modules/${name}`));
    expect(shared.sort()).toEqual(SHARED);
  });

  it('declares in the package `colophon` the dependencies of the packages that it contains', () => {
    const parts = ['packages/model', 'packages/sdk', 'packages/server'].map((path) => packages[path]);
    const asked = Object.entries(Object.assign({}, ...parts.map((part) => part?.dependencies)));
    const foreign = Object.fromEntries(asked.filter(([name]) => !name.startsWith('@colophon/')));
    const { overrides } = readJson<{ overrides: object }>('package.json');
    expect(packages['packages/colophon']?.dependencies).toEqual({ ...foreign, ...overrides });
  });

  it('locks the optional packages at the versions that the service requires', () => {
    const asked = Object.values(PARTS).flatMap((part) => part.packages);
    const locked = Object.entries(packages['packages/parts']?.dependencies ?? {});
    expect(asked.sort()).toEqual(locked.map(([name, version]) => `${name}@${version}`).sort());
  });

  it('locks only packages whose install scripts were reviewed', () => {
    const { allowScripts } = readJson<{ allowScripts: Record<string, boolean> }>('package.json');
    const scripted = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript);
    const names = scripted.map((path) => path.replace(/^.*node_modules\//, ''));
    expect(names.filter((name) => !(name in allowScripts))).toEqual([]);
  });

  it('fails these checks if a package, a licence or a digest is missing, or if it has a download address', () => {
    const planted: Packages = {
      'node_modules/a': { version: '1.0.0', optionalDependencies: { 'a-darwin-arm64': '1.0.0' } },
      'node_modules/b': { version: '1.0.0', optionalDependencies: { 'b-linux-x64': '1.0.0' } },
      'node_modules/b/node_modules/b-linux-x64': {
        version: '1.0.0',
        resolved: 'https://packages.example/b.tgz',
      },
    };
    const licensed: Packages = {
      'node_modules/a': { license: 'MIT OR GPL-3.0' },
      'node_modules/b': { license: 'MIT AND GPL-3.0', integrity: 'sha512-b' },
      'node_modules/c': { license: 'LGPL-3.0', link: false },
      'node_modules/d': {},
      'node_modules/e': { license: 'GPL-3.0', dev: true },
    };
    expect(foreignLicences(licensed).map((one) => one.charAt(13))).toEqual(['b', 'c', 'd']);
    expect(unsealed(licensed).map((one) => one.charAt(13))).toEqual(['a', 'c', 'd', 'e']);
    expect(['1.0.0', '^1.0.0', '1.x', 'latest', '1.0.0-beta.1'].filter(isExact)).toEqual([
      ...['1.0.0', '1.0.0-beta.1'],
    ]);
    expect(missingOptionals(planted)).toEqual(['a-darwin-arm64 of node_modules/a']);
    expect(downloadAddresses(planted)).toEqual(['https://packages.example/b.tgz']);
  });
});
