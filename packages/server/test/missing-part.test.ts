import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { describeMissingPart, PARTS } from '../src/cli/missing-part.js';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));

const RESOLVE = `const left = ${JSON.stringify(Object.values(PARTS).flatMap(({ packages }) => packages.map((one) => one.replace(/@[^@]*$/, ''))))};
export async function resolve(name, context, next) {
  const found = left.find((one) => name === one || name.startsWith(one + '/'));
  if (found === undefined) return next(name, context);
  throw Object.assign(new Error("Cannot find package '" + found + "' imported from here"), { code: 'ERR_MODULE_NOT_FOUND' });
}`;
const asModule = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
const HOOK = asModule(
  `import { register } from 'node:module'; register(${JSON.stringify(asModule(RESOLVE))});`,
);

async function run(file: string, argv: string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['--import', HOOK, DIST + file, ...argv], {
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'fatal', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit'), text(child.stdout)]);
  return { code, stderr };
}

const HEX = '11'.repeat(32);

it.each([
  [{ REDIS_URL: 'redis://127.0.0.1:1' }, 'REDIS_URL needs the package @redis/client'],
  [{ OTEL_TRACES_EXPORTER: 'console' }, 'OTEL_TRACES_EXPORTER) needs the package @opentelemetry/'],
  [
    { S3_BUCKET: 'provenance', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' },
    'S3_BUCKET needs the package @aws-sdk/client-s3',
  ],
  [
    { OIDC_ISSUER: 'https://a.example', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' },
    'OIDC_ISSUER needs the package openid-client',
  ],
  [
    { SUPABASE_URL: 'https://a.example', SUPABASE_SERVICE_KEY: 'a'.repeat(40) },
    'SUPABASE_URL needs the package @supabase/postgrest-js',
  ],
  [
    {
      BLOCKCHAIN_RPC_URL: 'http://127.0.0.1:1',
      BLOCKCHAIN_CHAIN_ID: '1',
      BLOCKCHAIN_CONTRACT_ADDRESS: `0x${HEX.slice(24)}`,
      BLOCKCHAIN_PRIVATE_KEY: `0x${HEX}`,
    },
    'BLOCKCHAIN_RPC_URL, --rpc) needs the package viem',
  ],
  [{ TSA_URL: 'http://127.0.0.1:1' }, 'TSA_URL, --timestamp) needs the package '],
])('%o without its package: the start names the package and how to install it', async (given, said) => {
  const environment = Object.fromEntries(Object.entries<string>(given));
  const { code, stderr } = await run('main.js', [], { PUBLIC_URL: 'https://b.example', ...environment });
  expect(stderr).toContain(said);
  expect(stderr).toMatch(
    /which is not installed\. In a checkout, run `npm run parts`\. Elsewhere, run `npm install /,
  );
  expect(code).toBe(1);
});

it('a command reports its missing package, and another command works without the package', async () => {
  const mcp = await run('cli.js', ['mcp']);
  expect(mcp.stderr).toContain('`colophon mcp` needs the package @modelcontextprotocol/sdk');
  const others = await run('cli.js', ['openapi']);
  expect(others).toMatchObject({ code: 0, stderr: '' });
});

it('a missing file of the service names no package', () => {
  const message = "Cannot find module '/srv/missing.js' imported from /srv/main.js";
  expect(
    describeMissingPart(Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' })),
  ).toBeUndefined();
});
