import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { describe, expect, it } from 'vitest';

const PACKAGES = new URL('../../', import.meta.url);

/** `bytes` is the maximum size of the code, minified and compressed. */
const BUDGETS = [
  { names: 'computeCid', from: '@colophon/sdk', bytes: 10_000 },
  { names: 'parseTrustedLog, verifyEd25519, verifyReceipt', from: '@colophon/model', bytes: 45_000 },
  { names: 'createClient', from: '@colophon/sdk', bytes: 60_000 },
];

describe('the bundle of a page', () => {
  it.each(BUDGETS)('has at most $bytes bytes for $names of $from', async ({ names, from, bytes }) => {
    const size = await bundleSize(`export { ${names} } from '${from}';`);
    expect(size).toBeGreaterThan(1_000);
    expect(size).toBeLessThanOrEqual(bytes);
  });

  it('has no source file that imports `{ z }`, because esbuild then keeps all of zod', () => {
    const importers = ['model', 'sdk', 'web'].flatMap((name) => {
      const folder = new URL(`${name}/src/`, PACKAGES);
      return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file))
        .filter((file) => /\{[^}]*\bz\b[^}]*\} from 'zod'/.test(readFileSync(new URL(file, folder), 'utf8')))
        .map((file) => `${name}/src/${file}`);
    });
    expect(importers).toEqual([]);
  });
});

async function bundleSize(code: string): Promise<number> {
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    root: fileURLToPath(new URL('../', import.meta.url)),
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'virtual:entry' ? id : undefined),
        load: (id) => (id === 'virtual:entry' ? code : undefined),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input: 'virtual:entry', preserveEntrySignatures: 'strict' },
    },
  });
  const [output] = Array.isArray(made) ? made : [made];
  if (output === undefined || !('output' in output)) throw new Error('Nothing was built');
  const parts = output.output.map((part) => ('code' in part ? gzipSync(part.code, { level: 9 }).length : 0));
  return parts.reduce((sum, size) => sum + size, 0);
}
