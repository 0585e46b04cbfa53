import { isIP } from 'node:net';
import { z } from 'zod';

const MEBIBYTE = 2 ** 20;

const wholeNumber = (min: number, max: number, example: string) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number, e.g. ${example}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must lie between ${min} and ${max}, e.g. ${example}`);

const flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');
const postgresUrl = z
  .string()
  .regex(
    /^postgres(?:ql)?:\/\/./,
    'must be a PostgreSQL address, e.g. postgresql://user:password@host:5432/name',
  )
  .refine(
    (text) => URL.canParse(text),
    'is not an address: percent-encode special characters in the password',
  );
const webUrl = z
  .string()
  .refine(isWebUrl, 'must be an http or https address, e.g. https://provenance.example.org');
/** `fetch` rejects an address with a user name (Fetch standard, "Request class"). Its error shows that user name. */
const userlessUrl = webUrl.refine(
  (text) => !URL.canParse(text) || new URL(text).username + new URL(text).password === '',
  'must contain neither a user nor a password',
);
const hexKey = (bytes: number) =>
  z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`), `must be ${bytes} bytes as lower-case hex digits`);
const secret = z.string().regex(/^\S{16,}$/, 'must have at least 16 characters and no blanks');
const PEM_TEXT = /^\s*-----BEGIN ([A-Z0-9 ]+)-----\s[\s\S]+-----END \1-----/;
const FILE_PATH = /^[\p{L}\p{N}_./~-]+(?: +[\p{L}\p{N}_./~-]+)*$/u;
const pem = (what: string) =>
  z
    .string()
    .refine((text) => PEM_TEXT.test(text) || FILE_PATH.test(text), `must be PEM text or the path of ${what}`);
const ethereumAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address, e.g. 0x followed by 40 hex digits');

const otlpProtocol = z
  .literal('http/protobuf', 'must be http/protobuf, the only protocol that the service supports')
  .optional();

/** The proxies whose `X-Forwarded-For` is trusted: all, none, their number, or their addresses, separated by commas. */
export const trustProxy = z
  .string()
  .refine(
    (text) => /^(?:true|false|\d{1,2})$/.test(text) || toList(text).every(isAddressRange),
    'must be true, false, a number of proxies or addresses, e.g. 10.0.0.0/8',
  )
  .transform((text): boolean | number | string[] => {
    if (text === 'true' || text === 'false') return text === 'true';
    return /^\d+$/.test(text) ? Number(text) : toList(text);
  });

function toList(text: string): string[] {
  return text.split(',').map((one) => one.trim());
}

/** An IP address without a zone, or a block of addresses (RFC 4632 §3.1). */
function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = isIP(address) === 4 ? 32 : 128;
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return false;
  return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= bits);
}

/** Syntax and default of every variable of the service. */
export const variables = z.object({
  NODE_ENV: z
    .enum(['development', 'test', 'production'], 'must be development, test or production')
    .default('development'),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'must be an address to listen on, e.g. 127.0.0.1')
    .optional(),
  PORT: wholeNumber(0, 65_535, '3001').default(3001),
  ADMIN_PORT: wholeNumber(0, 65_535, '3002').optional(),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be fatal, error, warn, info, debug, trace or silent',
    )
    .default('info'),
  PUBLIC_URL: userlessUrl.optional(),
  TRUST_PROXY: trustProxy.default(false),
  ALLOW_PRIVATE_ADDRESSES: flag.default(false),
  COMPAT_ROUTES: flag.default(true),

  DATABASE_URL: postgresUrl.optional(),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  DATABASE_REPLICA_URL: postgresUrl.optional(),
  DATABASE_REPLICA_STALENESS_MS: wholeNumber(0, 60_000, '1000').optional(),
  DATABASE_CONNECTIONS: wholeNumber(1, 1_000, '10').optional(),
  DATABASE_POOLER: z.enum(['none', 'transaction'], 'must be none or transaction').optional(),
  ANSWER_CACHE_BYTES: wholeNumber(0, 2 ** 40, '67108864').default(64 * MEBIBYTE),
  DATA_DIR: z.string().regex(/\S/, 'must be a directory, e.g. /var/lib/colophon').optional(),
  ALLOW_EMBEDDED_IN_PRODUCTION: flag.default(false),
  SUPABASE_URL: userlessUrl.optional(),
  SUPABASE_SERVICE_KEY: secret.optional(),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\/./, 'must be a Redis address, e.g. redis://host:6379')
    .optional(),

  API_KEYS: z.string().optional(),
  MANAGEMENT_API_KEY: secret.optional(),
  METRICS_TOKEN: secret.optional(),
  SECRETS_KEY: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 bytes in base64')
    .optional(),
  LOCAL_ACCOUNTS: flag.optional(),
  SIGN_IN_MAX_WAITING: wholeNumber(5, 1_000, '50').default(50),
  OIDC_ISSUER: userlessUrl.optional(),
  OIDC_CLIENT_ID: z
    .string()
    .regex(/^[\x21-\x7e]{1,256}$/, 'must be visible ASCII characters, e.g. colophon')
    .optional(),
  OIDC_CLIENT_SECRET: z.string().regex(/^\S+$/, 'must have no blanks').optional(),
  PROOF_POLICY: z.enum(['off', 'warn', 'enforce'], 'must be off, warn or enforce').default('off'),
  MAX_JSON_MEMBERS: wholeNumber(1_000, 1_000_000, '5000').default(5_000),
  MAX_BATCH_RECORDS: wholeNumber(100, 3_000, '1000').optional(),
  MAX_BATCH_CONTENTS: wholeNumber(1_000, 1_000_000, '10000').optional(),
  MAX_PROOF_FAULTS: wholeNumber(1, 1_000, '16').default(16),
  MAX_PREFIX_NAMES: wholeNumber(1_000, 1_000_000, '16384').default(16_384),
  SERVER_SIGNING_KEY: hexKey(32).optional(),
  LOG_SIGNER_COMMAND: z
    .string()
    .regex(
      /^\/[^\s"'`$\\]+(?: +[^\s"'`$\\]+)*$/,
      'must be the path of a program and its arguments, without quotes, e.g. /usr/local/bin/kms-sign log-key-1',
    )
    .optional(),
  PUBLIC_LOGS: z.enum(['off', 'permitted', 'all'], 'must be off, permitted or all').default('off'),
  WITNESSES: z.string().optional(),
  WITNESS_INTERVAL: wholeNumber(1, 86_400, '10').default(10),

  RATE_LIMIT_RPM: wholeNumber(1, 1_000_000, '60').default(60),
  RATE_LIMIT_BURST: wholeNumber(0, 1_000_000, '20').default(20),
  PUBLIC_DETECTOR: flag.default(false),
  PUBLIC_DETECTOR_RPM: wholeNumber(1, 100_000, '10').default(10),
  PUBLIC_DETECTOR_BYTES: wholeNumber(1_024, 64 * 2 ** 20, '20971520').default(20 * 2 ** 20),
  PROJECT_RATE_LIMIT_RPM: wholeNumber(1, 100_000_000, '800').optional(),
  MAX_PROJECT_UPLOADS: wholeNumber(1, 100_000, '32').default(32),
  PROJECT_UPLOAD_BYTES_PER_SECOND: wholeNumber(MEBIBYTE, 2 ** 40, '33554432').default(32 * MEBIBYTE),
  MAX_PROJECT_REQUESTS: wholeNumber(1, 1_000_000, '256').default(256),
  MAX_PROJECT_ANSWER_BYTES: wholeNumber(MEBIBYTE, 2 ** 40, '67108864').default(64 * MEBIBYTE),
  MAX_PROJECT_BODY_BYTES: wholeNumber(4 * MEBIBYTE, 2 ** 40, '67108864').default(64 * MEBIBYTE),
  MAX_ADDRESS_CONNECTIONS: wholeNumber(1, 1_000_000, '1000').default(1_000),
  MAX_USER_ORGS: wholeNumber(0, 1_000_000, '10').default(10),
  MAX_ORG_PROJECTS: wholeNumber(0, 1_000_000, '100').default(100),
  MAX_ORG_MEMBERS: wholeNumber(1, 1_000_000, '1000').default(1_000),
  // The list of open invitations has at most 1,000 entries, and must show each of them.
  MAX_ORG_INVITATIONS: wholeNumber(0, 1_000, '1000').default(1_000),
  MAX_PROJECT_PUBLICATIONS: wholeNumber(0, 1_000_000, '100000').default(100_000),
  MAX_PENDING_DELIVERIES: wholeNumber(1, 100_000, '1000').default(1_000),
  MAX_PENDING_DELIVERY_BYTES: wholeNumber(MEBIBYTE, 2 ** 40, '16777216').default(16 * MEBIBYTE),
  MAX_LIST_ROWS: wholeNumber(1_000, 10_000_000, '200000').default(200_000),
  MAX_PROJECT_WAITS: wholeNumber(0, 10_000, '64').default(64),
  MAX_FORM_SECONDS: wholeNumber(1, 86_400, '3600').default(3_600),

  BLOB_STORE: z
    .enum(['memory', 'dir', 's3', 'pinata', 'kubo'], 'must be memory, dir, s3, pinata or kubo')
    .optional(),
  MAX_UPLOAD_BYTES: wholeNumber(1, 2 ** 40, '536870912').default(512 * MEBIBYTE),
  MEMORY_STORE_BYTES: wholeNumber(1, 2 ** 40, '1073741824').default(1024 * MEBIBYTE),
  S3_ENDPOINT: userlessUrl.optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be a bucket name, e.g. provenance')
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'must be a region, e.g. eu-central-1')
    .optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  PINATA_JWT: secret.optional(),
  PINATA_GATEWAY: userlessUrl.optional(),
  PINATA_UPLOAD_URL: userlessUrl.optional(),
  IPFS_API_URL: userlessUrl.optional(),

  WORKER_THREADS: wholeNumber(2, 256, '4').optional(),
  WORKER_MEMORY_BYTES: wholeNumber(1, 2 ** 40, '469762048').default(448 * MEBIBYTE),
  WORK_MAX_WAIT_MS: wholeNumber(1, 600_000, '10000').default(10_000),
  OWNER_REQUESTS_AT_ONCE: wholeNumber(1, 10_000, '8').default(8),
  WORK_MAX_WAITING: wholeNumber(1, 10_000, '64').default(64),

  MAX_MEDIA_BYTES: wholeNumber(1, 2 ** 40, '134217728').default(128 * MEBIBYTE),
  C2PA_TRUST_ANCHORS: pem('a PEM bundle').optional(),
  CAWG_TRUST_ANCHORS: pem('a PEM bundle').optional(),
  C2PA_SIGNING_CERT: pem('a PEM certificate chain').optional(),
  C2PA_SIGNING_KEY: pem('a PEM private key').optional(),
  C2PA_TSA_URL: userlessUrl.optional(),
  C2PA_ALLOW_UNTRUSTED_SIGNER: flag.default(false),
  AUDIT_INTERVAL_MINUTES: wholeNumber(0, 525_600, '1440').default(1440),
  MAX_PROJECT_MODELS: wholeNumber(1, 10_000, '16').default(16),
  MAX_PICTURE_BYTES: wholeNumber(1, 2 ** 40, '268435456').default(256 * MEBIBYTE),
  MATCH_WAIT_MS: wholeNumber(0, 10_000, '50').default(50),
  SEARCH_INDEX_BYTES: wholeNumber(0, 2 ** 40, '268435456').default(256 * MEBIBYTE),
  ISCC: z
    .enum(['on', 'off'], 'must be on or off')
    .default('on')
    .transform((text) => text === 'on'),
  FPCALC: z
    .string()
    .regex(/^(off|\/.+)$/, 'must be the path of fpcalc, or off')
    .optional(),
  FFMPEG: z
    .string()
    .regex(/^(off|\/.+)$/, 'must be the path of ffmpeg, or off')
    .optional(),
  PDFTOPPM: z
    .string()
    .regex(/^(off|\/.+)$/, 'must be the path of pdftoppm, or off')
    .optional(),
  PDFTOTEXT: z
    .string()
    .regex(/^(off|\/.+)$/, 'must be the path of pdftotext, or off')
    .optional(),
  EMBEDDINGS_URL: userlessUrl.optional(),
  EMBEDDINGS_MODEL: z
    .string()
    .regex(/^[\w.:/-]{1,100}$/, 'must be a model name, e.g. text-embedding-3-small')
    .default('text-embedding-3-small'),
  EMBEDDINGS_API_KEY: z.string().regex(/^\S+$/, 'must have no blanks').optional(),
  EMBEDDINGS_MODEL_DIR: z
    .string()
    .regex(/^\/.*[^/]$/, 'must be the path of a directory, e.g. /srv/models/all-MiniLM-L6-v2')
    .optional(),
  WATERMARK_MODEL_DIR: z
    .string()
    .regex(/^\/.*[^/]$/, 'must be the path of a directory, e.g. /srv/models/trustmark-q')
    .optional(),

  TSA_URL: userlessUrl.optional(),
  TSA_INTERVAL: wholeNumber(1, 604_800, '3600').default(3_600),
  TSA_TRUST_ANCHORS: pem('a PEM bundle').optional(),

  BLOCKCHAIN_ANCHOR: z.enum(['checkpoint', 'action'], 'must be checkpoint or action').default('checkpoint'),
  BLOCKCHAIN_ANCHOR_SECONDS: wholeNumber(0, 86_400, '10').default(10),
  BLOCKCHAIN_CONFIRMATIONS: wholeNumber(1, 10_000, '12').default(12),
  BLOCKCHAIN_RPC_URL: webUrl.optional(),
  BLOCKCHAIN_CHAIN_ID: wholeNumber(1, Number.MAX_SAFE_INTEGER, '8453').optional(),
  BLOCKCHAIN_CHAIN_NAME: z.string().optional(),
  BLOCKCHAIN_CONTRACT_ADDRESS: ethereumAddress.optional(),
  BLOCKCHAIN_PRIVATE_KEY: z
    .string()
    .regex(/^0x[0-9a-f]{64}$/i, 'must be 0x and 64 hex digits')
    .refine(
      isPrivateKey,
      'must be a private key of secp256k1: a number above 0 and below the order of the curve',
    )
    .optional(),

  // The OpenTelemetry SDK reads its other variables itself.
  OTEL_SDK_DISABLED: flag.default(false),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'console', 'none'], 'must be otlp, console or none').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: webUrl.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: otlpProtocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: otlpProtocol,
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: z.string().optional(),
  OTEL_PROPAGATORS: z
    .string()
    .regex(/^(tracecontext|baggage|none)(,(tracecontext|baggage|none))*$/, 'must be tracecontext or none')
    .default('tracecontext'),
});

export type Variables = z.output<typeof variables>;

/** Variables whose value is never shown. */
export const SECRET_VARIABLES: readonly string[] = [
  'SUPABASE_SERVICE_KEY',
  'API_KEYS',
  'MANAGEMENT_API_KEY',
  'METRICS_TOKEN',
  'SECRETS_KEY',
  'OIDC_CLIENT_SECRET',
  'SERVER_SIGNING_KEY',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'PINATA_JWT',
  'C2PA_SIGNING_KEY',
  'BLOCKCHAIN_PRIVATE_KEY',
  'EMBEDDINGS_API_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
];

/** Addresses that often have a key in their path. Only the origin of the address is shown. */
export const SECRET_PATHS: readonly string[] = [
  'BLOCKCHAIN_RPC_URL',
  'EMBEDDINGS_URL',
  'C2PA_TSA_URL',
  'TSA_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
];

/** Order of the group of secp256k1 (SEC 2 §2.4.1). A private key is greater than 0 and less than this number. */
const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

function isPrivateKey(hex: string): boolean {
  if (!/^0x[0-9a-f]{64}$/i.test(hex)) return true;
  return BigInt(hex) > 0n && BigInt(hex) < SECP256K1_ORDER;
}

function isWebUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
