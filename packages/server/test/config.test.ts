import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.js';
import { problemsOf } from './support/config-problems.js';

it('with nothing set: development on 127.0.0.1:3001, everything in memory; the configuration is frozen', () => {
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

it('tracing is on with an exporter or endpoint, unless the exporter is none or the SDK is disabled', () => {
  const address = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/secret-path' };
  const tracingOf = (environment: Record<string, string>) => readConfig(environment).tracing;
  expect(tracingOf({})).toBeUndefined();
  expect(tracingOf({ OTEL_SERVICE_NAME: 'archive' })).toBeUndefined();
  expect(tracingOf(address)).toEqual({ exporter: 'otlp', continuesCallers: true });
  expect(tracingOf({ OTEL_TRACES_EXPORTER: 'console', OTEL_PROPAGATORS: 'none' })).toEqual({
    exporter: 'console',
    continuesCallers: false,
  });
  expect(tracingOf({ ...address, OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined();
  expect(tracingOf({ ...address, OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
  const { effective } = readConfig({ ...address, OTEL_EXPORTER_OTLP_HEADERS: 'x-key=secret-value' });
  expect(JSON.stringify(effective)).not.toMatch(/secret-/);
});

it('WORKER_THREADS: a quarter of the threads (at least one) hashes, and the others (at least two) parse media', () => {
  const workOf = (environment: Record<string, string>) => readConfig(environment).work;
  expect(workOf({ WORKER_THREADS: '2' })).toMatchObject({ hashThreads: 1, places: { media: 2 } });
  expect(workOf({ WORKER_THREADS: '9' })).toMatchObject({ hashThreads: 2, places: { media: 7 } });
  expect(workOf({ WORKER_MEMORY_BYTES: '1000' }).memoryBytes).toBe(1000);
  expect(problemsOf({ WORKER_THREADS: '1' })).toEqual([expect.stringContaining('WORKER_THREADS')]);
});

it('MAX_BATCH_CONTENTS: the default is 2,000 on the embedded database, and 10,000 elsewhere', () => {
  const most = (environment: Record<string, string>) => {
    const { batch, preview } = readConfig(environment).work.maxContents;
    return [batch, preview];
  };
  expect([most({}), most({ DATABASE_URL: 'postgres://h/d' })]).toEqual([
    [2_000, 10_000],
    [10_000, 10_000],
  ]);
  expect(most({ MAX_BATCH_CONTENTS: '5000' })).toEqual([5_000, 5_000]);
});

it('MAX_BATCH_RECORDS: the default is 1,000 on the embedded database, and 3,000 elsewhere', () => {
  const most = (environment: Record<string, string>) => readConfig(environment).work.maxBatchRecords;
  const postgresql = { DATABASE_URL: 'postgres://h/d' };
  const supabase = { SUPABASE_URL: 'https://x.supabase.co', SUPABASE_SERVICE_KEY: 's'.repeat(40) };
  expect([most({}), most({ DATA_DIR: '/tmp/colophon' })]).toEqual([1_000, 1_000]);
  expect([most(postgresql), most(supabase)]).toEqual([3_000, 3_000]);
  expect(most({ MAX_BATCH_RECORDS: '3000' })).toBe(3_000);
  expect(most({ ...postgresql, MAX_BATCH_RECORDS: '100' })).toBe(100);
  for (const MAX_BATCH_RECORDS of ['99', '3001'])
    expect(problemsOf({ MAX_BATCH_RECORDS })).toEqual([expect.stringContaining('MAX_BATCH_RECORDS')]);
});

describe('sign-in to the page', () => {
  const openId = { OIDC_ISSUER: 'https://login.example', OIDC_CLIENT_ID: 'c', OIDC_CLIENT_SECRET: 's' };
  const production = { NODE_ENV: 'production', DATABASE_URL: 'postgres://h/d' };

  it('uses local accounts by default in development, and in production only with LOCAL_ACCOUNTS=true', () => {
    const isOn = (environment: Record<string, string>) => readConfig(environment).signIn.localAccounts;
    expect([isOn({}), isOn({ LOCAL_ACCOUNTS: 'false' })]).toEqual([true, false]);
    expect([isOn(production), isOn({ ...production, LOCAL_ACCOUNTS: 'true' })]).toEqual([false, true]);
  });

  it('uses a provider that redirects to PUBLIC_URL', () => {
    const { signIn, effective } = readConfig({ ...openId, PUBLIC_URL: 'https://colophon.example/' });
    expect(signIn.openId).toEqual({
      issuer: 'https://login.example',
      clientId: 'c',
      clientSecret: 's',
      redirectUri: 'https://colophon.example/app/api/openid/callback',
    });
    expect(effective.OIDC_CLIENT_SECRET).toBe('***');
  });

  it.each([
    ['only one of three OIDC variables', { OIDC_CLIENT_ID: 'c' }, 2],
    ['a provider without TLS', { ...openId, OIDC_ISSUER: 'http://login.example' }, 1],
    ['a provider on this machine', { ...openId, OIDC_ISSUER: 'http://127.0.0.1:9000' }, 0],
    ['production without PUBLIC_URL', { ...production, ...openId }, 1],
  ])('with %s (%j) has %i problems', (_, environment, count) => {
    expect(problemsOf(environment)).toHaveLength(count);
  });
});

it('an empty variable has the same effect as an unset variable', () => {
  expect(readConfig({ API_KEYS: '', DATA_DIR: '', PORT: '' })).toEqual(readConfig({}));
});

it('API_KEYS: a key without a project name belongs to the project `default`, others to the named project', () => {
  expect(readConfig({ API_KEYS: 'key-number-1, key-number-2:photos' }).staticKeys).toEqual([
    { key: 'key-number-1', projectName: 'default' },
    { key: 'key-number-2', projectName: 'photos' },
  ]);
});

it('with DATABASE_URL and DATA_DIR, records are in the database and bytes in the directory', () => {
  const config = readConfig({ DATABASE_URL: 'postgres://h/d', DATA_DIR: '/data' });
  expect(config.store.kind).toBe('postgresql');
  expect(config.blobs).toEqual({ kind: 'dir', directory: '/data/blobs' });
});

describe('the storage of records', () => {
  const key = 'sb_secret_of-the-tests';
  const supabase = { url: 'https://x.example', serviceKey: key };
  const named = { SUPABASE_URL: supabase.url, SUPABASE_SERVICE_KEY: key };

  it.each([
    [{}, { kind: 'memory' }],
    [{ DATA_DIR: '/data' }, { kind: 'directory', directory: '/data' }],
    [{ DATABASE_URL: 'postgres://h/d' }, { kind: 'postgresql', url: 'postgres://h/d' }],
  ])('is Supabase if configured, and the control plane is in the database of %j', (environment, place) => {
    expect(readConfig({ ...environment, ...named }).store).toMatchObject({ ...place, supabase });
    expect(readConfig(environment as Record<string, string>).store).toEqual({ ...place });
  });

  it('needs a database for the control plane in production, even with Supabase', () => {
    const problems = problemsOf({ ...named, NODE_ENV: 'production' });
    expect(problems).toEqual([expect.stringContaining('DATABASE_URL')]);
  });

  it('is not Supabase if only the key is set, and the settings show this key masked', () => {
    const { store, ignoredVariables, effective } = readConfig({ SUPABASE_SERVICE_KEY: key });
    expect(store).toEqual({ kind: 'memory' });
    expect(ignoredVariables).toEqual(['SUPABASE_SERVICE_KEY']);
    expect(JSON.stringify(effective)).not.toContain(key);
  });
});

it.each([
  [undefined, undefined],
  ['none', undefined],
  ['transaction', true],
])('DATABASE_POOLER %j: the service expects a pooler in transaction mode: %j', (given, transactionPooler) => {
  const environment = { DATABASE_URL: 'postgres://h/d', ...(given && { DATABASE_POOLER: given }) };
  const { store } = readConfig(environment);
  expect(store.kind === 'postgresql' && store.transactionPooler).toBe(transactionPooler);
});

describe('the storage of bytes', () => {
  const s3 = { S3_BUCKET: 'bucket', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };

  it.each([
    [{}, 'memory'],
    [{ DATA_DIR: '/data' }, 'dir'],
    [{ DATA_DIR: '/data', ...s3 }, 's3'],
    [{ DATA_DIR: '/data', ...s3, BLOB_STORE: 'dir' }, 'dir'],
    [{ DATA_DIR: '/data', ...s3, BLOB_STORE: 'memory' }, 'memory'],
  ])('with %j is of the kind %s', (environment, kind) => {
    expect(readConfig(environment as Record<string, string>).blobs.kind).toBe(kind);
  });

  it('has its variables listed as ignored if it is unused', () => {
    expect(readConfig({ ...s3, BLOB_STORE: 'memory' }).ignoredVariables).toEqual(Object.keys(s3));
    expect(readConfig({ PINATA_GATEWAY: 'https://gateway.example' }).ignoredVariables).toEqual([
      'PINATA_GATEWAY',
    ]);
    expect(readConfig(s3).ignoredVariables).toEqual([]);
  });

  it('has its secrets masked', () => {
    const { effective } = readConfig(s3);
    expect(effective).toMatchObject({
      S3_BUCKET: 'bucket',
      S3_ACCESS_KEY_ID: '***',
      S3_SECRET_ACCESS_KEY: '***',
    });
  });
});

it('readConfig lists the settings without effect, and masks every secret', () => {
  const secrets = {
    MANAGEMENT_API_KEY: 'mk_live_secret-secret',
    BLOCKCHAIN_PRIVATE_KEY: `0x${'5e'.repeat(32)}`,
    SERVER_SIGNING_KEY: '5e'.repeat(32),
    API_KEYS: 'secret-key',
    DATABASE_URL: 'postgres://user:secret@h/d?password=secret',
    S3_ENDPOINT: 'https://s3.example/path?key=secret',
    PINATA_GATEWAY: 'https://gateway.example/ipfs?pinataGatewayToken=secret#secret',
    BLOCKCHAIN_RPC_URL: 'https://rpc.example/v2/secret',
    BLOCKCHAIN_CHAIN_ID: '8453',
    BLOCKCHAIN_CONTRACT_ADDRESS: `0x${'0a'.repeat(20)}`,
    COMPAT_ROUTES: 'true',
    BLOB_STORE: 'memory',
    EMBEDDINGS_URL: 'https://embeddings.example/secret?key=secret',
    C2PA_TSA_URL: 'https://tsa.example/secret',
  };
  const { ignoredVariables, effective } = readConfig(secrets);
  expect(ignoredVariables).toEqual(expect.arrayContaining(['S3_ENDPOINT', 'PINATA_GATEWAY']));
  expect(JSON.stringify(effective)).not.toMatch(/secret|5e5e/);
  expect(effective).toMatchObject({
    API_KEYS: '***',
    DATABASE_URL: 'postgres://***:***@h/d',
    S3_ENDPOINT: 'https://s3.example/path',
    PINATA_GATEWAY: 'https://gateway.example/ipfs',
    BLOCKCHAIN_RPC_URL: 'https://rpc.example',
    PORT: '3001',
  });
});

it.each([
  ['true', true],
  ['2', 2],
  ['10.0.0.0/8, 127.0.0.1', ['10.0.0.0/8', '127.0.0.1']],
  ['::1,fd00::/8', ['::1', 'fd00::/8']],
  ['::ffff:10.0.0.0/104', ['::ffff:10.0.0.0/104']],
])('readConfig parses TRUST_PROXY=%s', (text, meant) => {
  const { trustProxy } = readConfig({ TRUST_PROXY: text });
  expect(trustProxy).toEqual(meant);
  if (typeof trustProxy === 'number') return;
  expect(() => Fastify({ trustProxy })).not.toThrow();
});

it('a PEM variable contains the PEM text or names a file with this text', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'colophon config '));
  const file = path.join(directory, 'schlüssel.pem');
  const text = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  writeFileSync(file, text);
  expect(readConfig({ C2PA_TRUST_ANCHORS: file }).media.trustAnchorsPem).toBe(text);
  expect(readConfig({ C2PA_TRUST_ANCHORS: text }).media.trustAnchorsPem).toBe(text);
  writeFileSync(file, 'no certificate');
  expect(problemsOf({ C2PA_TRUST_ANCHORS: file })[0]).toMatch(
    /^C2PA_TRUST_ANCHORS names .* does not contain PEM text/,
  );
  rmSync(directory, { recursive: true });
  expect(problemsOf({ C2PA_TRUST_ANCHORS: file })[0]).toMatch(/^C2PA_TRUST_ANCHORS names .* cannot be read/);
});

it('production uses the embedded database with DATA_DIR and ALLOW_EMBEDDED_IN_PRODUCTION', () => {
  const config = readConfig({
    NODE_ENV: 'production',
    DATA_DIR: '/data',
    ALLOW_EMBEDDED_IN_PRODUCTION: 'true',
  });
  expect(config).toMatchObject({ production: true, host: '0.0.0.0', store: { kind: 'directory' } });
});
