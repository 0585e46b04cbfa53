import { expect, it } from 'vitest';
import { ConfigError, readConfig } from '../src/config.js';

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

it('with nothing set: development on 127.0.0.1:3001, everything in memory, frozen', () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    production: false,
    host: '127.0.0.1',
    port: 3001,
    store: { kind: 'memory' },
    blobs: { kind: 'memory', capacityBytes: 2 ** 30 },
    staticKeys: [],
    maxUploadBytes: 2 ** 29,
  });
  expect(Object.isFrozen(config)).toBe(true);
});

it('an empty value means unset', () => {
  expect(readConfig({ API_KEYS: '', DATA_DIR: '', PORT: '' })).toEqual(readConfig({}));
});

it('API_KEYS: a bare key belongs to the project default, others to the one they name', () => {
  expect(readConfig({ API_KEYS: 'key-number-1, key-number-2:photos' }).staticKeys).toEqual([
    { key: 'key-number-1', projectName: 'default' },
    { key: 'key-number-2', projectName: 'photos' },
  ]);
});

it('DATABASE_URL carries the records and DATA_DIR the bytes when both are set', () => {
  const config = readConfig({ DATABASE_URL: 'postgres://h/d', DATA_DIR: '/data' });
  expect(config.store.kind).toBe('postgresql');
  expect(config.blobs).toEqual({ kind: 'dir', directory: '/data/blobs' });
});

it.each([
  [{ PORT: 'http' }, 'PORT'],
  [{ PORT: '70000' }, 'PORT'],
  [{ NODE_ENV: 'prod' }, 'NODE_ENV'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  [{ DATABASE_URL: 'mysql://h/d' }, 'DATABASE_URL'],
  [{ DATABASE_DIRECT_URL: 'postgres://h/d' }, 'DATABASE_DIRECT_URL'],
  [{ BLOB_STORE: 's3' }, 'BLOB_STORE'],
  [{ BLOB_STORE: 'dir' }, 'DATA_DIR'],
  [{ MAX_UPLOAD_BYTES: '-1' }, 'MAX_UPLOAD_BYTES'],
  [{ MAX_UPLOAD_BYTES: '0' }, 'MAX_UPLOAD_BYTES'],
  [{ MEMORY_STORE_BYTES: '1GB' }, 'MEMORY_STORE_BYTES'],
  [{ API_KEYS: 'short' }, 'API_KEYS'],
  [{ API_KEYS: 'long-enough:a:b' }, 'API_KEYS'],
  [{ API_KEYS: 'long-enough,long-enough:b' }, 'API_KEYS'],
  [{ ALLOW_EMBEDDED_IN_PRODUCTION: 'yes' }, 'ALLOW_EMBEDDED_IN_PRODUCTION'],
  [{ NODE_ENV: 'production' }, 'DATABASE_URL'],
  [{ NODE_ENV: 'production', DATA_DIR: '/data' }, 'ALLOW_EMBEDDED_IN_PRODUCTION'],
  [{ PROOF_POLICY: 'enforce' }, 'PROOF_POLICY'],
  [{ PINATA_JWT: 'x' }, 'PINATA_JWT'],
])('refuses %j, naming %s', (environment, name) => {
  const problems = problemsOf(environment as Record<string, string>);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(name);
});

it('tells every problem at once', () => {
  expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'x', BLOB_STORE: 'x' })).toHaveLength(3);
});

it('production runs embedded only when that was said twice', () => {
  const config = readConfig({
    NODE_ENV: 'production',
    DATA_DIR: '/data',
    ALLOW_EMBEDDED_IN_PRODUCTION: 'true',
  });
  expect(config).toMatchObject({ production: true, host: '0.0.0.0', store: { kind: 'directory' } });
});
