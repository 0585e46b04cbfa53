import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Locked {
  version?: string;
  resolved?: string;
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
type Packages = Record<string, Locked>;

const ROOT = new URL('../../../', import.meta.url);
const REMEDY = 'run `npm run lock`';

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

describe('package-lock.json', () => {
  const { packages } = readJson<{ packages: Packages }>('package-lock.json');

  it('holds the optional packages of every platform, or npm ci refuses it', () => {
    expect(missingOptionals(packages), REMEDY).toEqual([]);
  });

  it('records no download address', () => {
    expect(downloadAddresses(packages), REMEDY).toEqual([]);
  });

  it.each(['', ...readJson<{ workspaces: string[] }>('package.json').workspaces])(
    'locks what package.json of "%s" asks for',
    (path) => {
      const manifest = readJson<Locked>(`${path === '' ? '.' : path}/package.json`);
      for (const field of ['dependencies', 'devDependencies', 'optionalDependencies'] as const)
        expect(packages[path]?.[field] ?? {}, 'run `npm install`').toEqual(manifest[field] ?? {});
    },
  );

  it('locks only packages whose install scripts were reviewed', () => {
    const { allowScripts } = readJson<{ allowScripts: Record<string, boolean> }>('package.json');
    const scripted = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript);
    const names = scripted.map((path) => path.replace(/^.*node_modules\//, ''));
    expect(names.filter((name) => !(name in allowScripts))).toEqual([]);
  });

  it('is told apart from an incomplete lock and from one with addresses', () => {
    const planted: Packages = {
      'node_modules/a': { version: '1.0.0', optionalDependencies: { 'a-darwin-arm64': '1.0.0' } },
      'node_modules/b': { version: '1.0.0', optionalDependencies: { 'b-linux-x64': '1.0.0' } },
      'node_modules/b/node_modules/b-linux-x64': {
        version: '1.0.0',
        resolved: 'https://packages.example/b.tgz',
      },
    };
    expect(missingOptionals(planted)).toEqual(['a-darwin-arm64 of node_modules/a']);
    expect(downloadAddresses(planted)).toEqual(['https://packages.example/b.tgz']);
  });
});
