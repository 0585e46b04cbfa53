import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
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

it('tracing is on if an exporter or an endpoint is set, unless the exporter is none or the SDK is disabled', () => {
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

it('MAX_BATCH_CONTENTS: by default, a batch names at most 3,000 contents on the embedded database, and 10,000 elsewhere', () => {
  const most = (environment: Record<string, string>) => {
    const { batch, preview } = readConfig(environment).work.maxContents;
    return [batch, preview];
  };
  expect([most({}), most({ DATABASE_URL: 'postgres://h/d' })]).toEqual([
    [3_000, 10_000],
    [10_000, 10_000],
  ]);
  expect(most({ MAX_BATCH_CONTENTS: '5000' })).toEqual([5_000, 5_000]);
});

it('MAX_BATCH_RECORDS: by default, a batch has at most 1,000 records on the embedded database, and 3,000 elsewhere', () => {
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

it.each([
  [{ PORT: 'http' }, 'PORT'],
  [{ PORT: '70000' }, 'PORT'],
  [{ NODE_ENV: 'prod' }, 'NODE_ENV'],
  [{ DATABASE_URL: 'postgres://h/d', DATABASE_POOLER: 'session' }, 'DATABASE_POOLER'],
  [{ DATABASE_POOLER: 'transaction' }, 'DATABASE_POOLER needs DATABASE_URL'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  [{ DATABASE_URL: 'mysql://h/d' }, 'DATABASE_URL'],
  [{ DATABASE_DIRECT_URL: 'postgres://h/d' }, 'DATABASE_DIRECT_URL'],
  [{ BLOB_STORE: 's3' }, 'S3_BUCKET'],
  [{ BLOB_STORE: 'pinata' }, 'PINATA_JWT'],
  [{ BLOB_STORE: 'kubo' }, 'IPFS_API_URL'],
  [{ S3_BUCKET: 'bucket', S3_ACCESS_KEY_ID: 'id' }, 'S3_SECRET_ACCESS_KEY'],
  [{ S3_BUCKET: 'bucket', S3_SECRET_ACCESS_KEY: 'secret' }, 'S3_ACCESS_KEY_ID'],
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
  [{ PROOF_POLICY: 'maybe' }, 'PROOF_POLICY'],
  [{ SERVER_SIGNING_KEY: 'ff' }, 'SERVER_SIGNING_KEY'],
  [{ SERVER_SIGNING_KEY: 'G'.repeat(64) }, 'SERVER_SIGNING_KEY'],
  [{ PUBLIC_LOGS: 'yes' }, 'PUBLIC_LOGS'],
  [{ LOG_SIGNER_COMMAND: 'kms-sign' }, 'LOG_SIGNER_COMMAND'],
  [{ LOG_SIGNER_COMMAND: '/bin/sh -c "sign"' }, 'LOG_SIGNER_COMMAND'],
  [{ RATE_LIMIT_RPM: '0' }, 'RATE_LIMIT_RPM'],
  [{ RATE_LIMIT_RPM: '1.5' }, 'RATE_LIMIT_RPM'],
  [{ RATE_LIMIT_BURST: '-1' }, 'RATE_LIMIT_BURST'],
  [{ MAX_ADDRESS_CONNECTIONS: '0' }, 'MAX_ADDRESS_CONNECTIONS'],
  [{ MAX_ORG_MEMBERS: '0' }, 'MAX_ORG_MEMBERS must lie between 1 and 1000000'],
  [{ MAX_ORG_INVITATIONS: '1001' }, 'MAX_ORG_INVITATIONS must lie between 0 and 1000'],
  ...[
    'everybody',
    '10.0.0.0/99',
    '10.0.0.0/0',
    '::/129',
    ',',
    '10.0.0.1,',
    'dead',
    'abc',
    '1.2.3',
    '100',
  ].map((text): [object, string] => [{ TRUST_PROXY: text }, 'TRUST_PROXY']),
  [{ BLOCKCHAIN_ANCHOR: 'banana' }, 'BLOCKCHAIN_ANCHOR'],
  [{ DATA_DIR: ' ' }, 'DATA_DIR'],
  [{ C2PA_SIGNING_KEY: '-----BEGIN ' }, 'C2PA_SIGNING_KEY'],
  [{ C2PA_SIGNING_KEY: '-----BEGIN PRIVATE KEY-----\n' }, 'C2PA_SIGNING_KEY'],
  [{ HOST: 'a b' }, 'HOST'],
  [{ PUBLIC_URL: 'ftp://x' }, 'PUBLIC_URL'],
  [{ COMPAT_ROUTES: '1' }, 'COMPAT_ROUTES'],
  [{ MANAGEMENT_API_KEY: 'short' }, 'MANAGEMENT_API_KEY'],
  [{ SECRETS_KEY: 'AAAA' }, 'SECRETS_KEY'],
  [{ SUPABASE_SERVICE_KEY: 'short' }, 'SUPABASE_SERVICE_KEY'],
  [{ PINATA_GATEWAY: 'gateway' }, 'PINATA_GATEWAY'],
  [{ S3_ENDPOINT: 's3' }, 'S3_ENDPOINT'],
  [{ MAX_MEDIA_BYTES: 'big' }, 'MAX_MEDIA_BYTES'],
  [{ C2PA_TRUST_ANCHORS: 'no such: thing' }, 'C2PA_TRUST_ANCHORS'],
  [{ CAWG_TRUST_ANCHORS: 'no such: thing' }, 'CAWG_TRUST_ANCHORS'],
  [{ C2PA_SIGNING_CERT: '?' }, 'C2PA_SIGNING_CERT'],
  [{ C2PA_SIGNING_KEY: '?' }, 'C2PA_SIGNING_KEY'],
  [{ C2PA_TSA_URL: 'x' }, 'C2PA_TSA_URL'],
  [{ C2PA_ALLOW_UNTRUSTED_SIGNER: 'si' }, 'C2PA_ALLOW_UNTRUSTED_SIGNER'],
  [{ EMBEDDINGS_URL: 'x' }, 'EMBEDDINGS_URL'],
  [{ BLOCKCHAIN_ANCHOR_SECONDS: '-1' }, 'BLOCKCHAIN_ANCHOR_SECONDS'],
  [{ BLOCKCHAIN_CONFIRMATIONS: '0' }, 'BLOCKCHAIN_CONFIRMATIONS'],
  [{ BLOCKCHAIN_RPC_URL: 'x' }, 'BLOCKCHAIN_RPC_URL'],
  [{ BLOCKCHAIN_CHAIN_ID: '0x1' }, 'BLOCKCHAIN_CHAIN_ID'],
  [{ BLOCKCHAIN_CONTRACT_ADDRESS: '0x1' }, 'BLOCKCHAIN_CONTRACT_ADDRESS'],
  [{ BLOCKCHAIN_PRIVATE_KEY: 'x' }, 'BLOCKCHAIN_PRIVATE_KEY'],
  [{ BLOCKCHAIN_PRIVATE_KEY: `0x${'00'.repeat(32)}` }, 'BLOCKCHAIN_PRIVATE_KEY'],
  [{ BLOCKCHAIN_PRIVATE_KEY: `0x${'ff'.repeat(32)}` }, 'BLOCKCHAIN_PRIVATE_KEY'],
  [{ SUPABASE_URL: 'https://x.example' }, 'SUPABASE_SERVICE_KEY'],
  [{ SUPABASE_URL: 'x.example', SUPABASE_SERVICE_KEY: 'sb_secret_of-the-tests' }, 'SUPABASE_URL'],
  [{ DATABASE_REPLICA_URL: 'postgres://h/d' }, 'DATABASE_REPLICA_URL'],
  [
    {
      DATABASE_URL: 'postgres://h/d',
      DATABASE_REPLICA_URL: 'postgres://r/d',
      SUPABASE_URL: 'https://x.example',
      SUPABASE_SERVICE_KEY: 'sb_secret_of-the-tests',
    },
    'DATABASE_REPLICA_URL',
  ],
  [{ REDIS_URL: 'http://h' }, 'REDIS_URL'],
  [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER must be otlp, console or none'],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  [{ OTEL_PROPAGATORS: 'b3' }, 'OTEL_PROPAGATORS'],
])('readConfig rejects %j, naming %s', (environment, name) => {
  const problems = problemsOf(environment as Record<string, string>);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(name);
});

it('a chain needs all its variables or none, and each missing variable is listed', () => {
  const access = { BLOCKCHAIN_RPC_URL: 'https://rpc.example', BLOCKCHAIN_CHAIN_ID: '8453' };
  expect(problemsOf(access)).toEqual([
    expect.stringContaining('BLOCKCHAIN_PRIVATE_KEY'),
    expect.stringContaining('BLOCKCHAIN_CONTRACT_ADDRESS'),
  ]);
  const whole = {
    ...access,
    BLOCKCHAIN_PRIVATE_KEY: `0x${'5e'.repeat(32)}`,
    BLOCKCHAIN_CONTRACT_ADDRESS: `0x${'0A'.repeat(20)}`,
  };
  expect(readConfig(whole).chain).toMatchObject({
    method: 'checkpoint',
    registry: { chainName: 'eip155:8453', contractAddress: `0x${'0a'.repeat(20)}` },
  });
  expect(readConfig({}).chain).toBeUndefined();
  expect(readConfig({ BLOCKCHAIN_ANCHOR: 'action' }).ignoredVariables).toEqual(['BLOCKCHAIN_ANCHOR']);
});

it.each([
  'PUBLIC_URL',
  'OIDC_ISSUER',
  'SUPABASE_URL',
  'S3_ENDPOINT',
  'IPFS_API_URL',
  'EMBEDDINGS_URL',
  'C2PA_TSA_URL',
])(
  'readConfig rejects a user in %s, because requests would drop it, and does not repeat the password',
  (name) => {
    const read = () => readConfig({ [name]: 'https://user:secret@host.example/' });
    expect(read).toThrow(`${name} must contain neither a user nor a password`);
    expect(read).not.toThrow('secret');
  },
);

it('an error does not repeat the text of a key if the variable has neither PEM text nor a readable path', () => {
  const read = () => readConfig({ C2PA_SIGNING_KEY: 'MHcCAQEEsecret', C2PA_SIGNING_CERT: '/none.pem' });
  expect(read).toThrow('C2PA_SIGNING_KEY names a file, which cannot be read (ENOENT)');
  expect(read).toThrow('C2PA_SIGNING_CERT names /none.pem, which cannot be read (ENOENT)');
  expect(read).not.toThrow('secret');
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

it('a signing certificate requires its key', () => {
  const certificate = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  expect(problemsOf({ C2PA_SIGNING_CERT: certificate })).toEqual([
    'C2PA_SIGNING_CERT and C2PA_SIGNING_KEY must be set together',
  ]);
});

it('an error lists all problems together', () => {
  expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'x', BLOB_STORE: 'x' })).toHaveLength(3);
  const replica = { DATABASE_REPLICA_URL: 'postgres://h/d' };
  const problems = problemsOf({ PORT: 'x', API_KEYS: 'short', NODE_ENV: 'production', ...replica });
  const names = problems.map((problem) => problem.split(' ')[0]).sort();
  expect(names).toEqual(['API_KEYS', 'DATABASE_REPLICA_URL', 'DATABASE_URL', 'PORT']);
  // The only problem is the invalid value. The service does not report this value as missing too.
  expect(problemsOf({ NODE_ENV: 'production', DATABASE_URL: 'mysql://h/d' })).toHaveLength(1);
});

it('production uses the embedded database with DATA_DIR and ALLOW_EMBEDDED_IN_PRODUCTION', () => {
  const config = readConfig({
    NODE_ENV: 'production',
    DATA_DIR: '/data',
    ALLOW_EMBEDDED_IN_PRODUCTION: 'true',
  });
  expect(config).toMatchObject({ production: true, host: '0.0.0.0', store: { kind: 'directory' } });
});
