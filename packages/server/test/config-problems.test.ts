import { expect, it } from 'vitest';
import { readConfig } from '../src/config.js';
import { problemsOf } from './support/config-problems.js';

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
  [{ PROJECT_UPLOAD_BYTES_PER_SECOND: '0' }, 'PROJECT_UPLOAD_BYTES_PER_SECOND'],
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
  [{ SIGN_IN_MAX_WAITING: '1001' }, 'SIGN_IN_MAX_WAITING must lie between 5 and 1000'],
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
  'readConfig rejects the URL of %s with a user and a password; the error does not repeat the password',
  (name) => {
    const read = () => readConfig({ [name]: 'https://user:secret@host.example/' });
    expect(read).toThrow(`${name} must contain neither a user nor a password`);
    expect(read).not.toThrow('secret');
  },
);

it('an error does not repeat the text of a key that is neither PEM nor a readable path', () => {
  const read = () => readConfig({ C2PA_SIGNING_KEY: 'MHcCAQEEsecret', C2PA_SIGNING_CERT: '/none.pem' });
  expect(read).toThrow('C2PA_SIGNING_KEY names a file, which cannot be read (ENOENT)');
  expect(read).toThrow('C2PA_SIGNING_CERT names /none.pem, which cannot be read (ENOENT)');
  expect(read).not.toThrow('secret');
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
  // The service does not report the invalid value as missing too.
  expect(problemsOf({ NODE_ENV: 'production', DATABASE_URL: 'mysql://h/d' })).toHaveLength(1);
});
