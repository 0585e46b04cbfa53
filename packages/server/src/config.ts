import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { StaticKey } from './access/authenticate.js';
import type { Allowance } from './access/limiter.js';
import {
  type BlobLocation,
  findByteContradictions,
  type PinningConfig,
  toBlobLocation,
  toPinning,
  unusedByteVariables,
} from './config/bytes.js';
import {
  type ChainConfig,
  type DeployConfig,
  findChainContradictions,
  toChain,
  toDeployConfig,
  unusedChainVariables,
} from './config/chain.js';
import { type ClientConfig, toClientConfig } from './config/client.js';
import { loginFile, readLogin } from './config/login.js';
import { type MediaConfig, readMediaConfig } from './config/media.js';
import { readSearchConfig, type SearchConfig } from './config/search.js';
import { findSignInContradictions, type SignInConfig, toSignIn } from './config/sign-in.js';
import { type TracingConfig, toTracing } from './config/tracing.js';
import { SECRET_PATHS, SECRET_VARIABLES, type Variables, variables } from './config/variables.js';
import { toWork, type WorkConfig } from './config/work.js';
import type { StoreLocation } from './platform/db/open-databases.js';
import type { SigningKeyLocation } from './transparency-log/signing-key.js';

/** The configuration, complete and frozen; sizes in bytes. */
export interface Config {
  /** Version of this package. */
  version: string;
  production: boolean;
  host: string;
  port: number;
  /** The port of `/management` and `/metrics`; undefined: `port`. */
  adminPort: number | undefined;
  /** The token that `/metrics` requires, if any. */
  metricsToken: string | undefined;
  logLevel: string;
  tracing: TracingConfig;
  /** The proxies whose information about the caller's address is trusted. */
  trustProxy: boolean | number | string[];
  store: StoreLocation;
  blobs: BlobLocation;
  /** The directory of all data on this machine. */
  dataDirectory: string | undefined;
  pinning: PinningConfig;
  staticKeys: readonly StaticKey[];
  management: {
    /** The secret of `/management`, which is off without it. */
    secret: string | undefined;
    /** The key of stored secrets: 32 bytes in base64. */
    secretsKey: string | undefined;
  };
  signIn: SignInConfig;
  media: MediaConfig;
  work: WorkConfig;
  search: SearchConfig;
  /** Memory limit of cached answers. */
  answerCacheBytes: number;
  /** Whether addresses in the settings of projects may lead into private networks. */
  allowPrivateAddresses: boolean;
  /** Time between two integrity checks; 0: none. */
  auditIntervalMs: number;
  /** The public address of the service. */
  publicUrl: string | undefined;
  maxUploadBytes: number;
  /** The maximum number of members in the JSON of a record. */
  maxJsonMembers: number;
  maxBatchContents: number;
  /** Whether the unversioned routes of the ProvenanceKit SDK are served. */
  provenanceKitRoutes: boolean;
  rateLimit: Allowance;
  /** The rate limit of all keys of a project together. */
  projectRateLimit: Allowance;
  /** Concurrent large forms of one project, and the time limit of each. */
  maxProjectUploads: number;
  /** Concurrent bytes of other bodies of one project. */
  maxProjectBodyBytes: number;
  maxProjectRequests: number;
  /** Bytes of long answers of one project that its callers have not read yet. */
  maxProjectAnswerBytes: number;
  maxFormMs: number;
  /** The Redis in which nodes count requests together; undefined: each node counts by itself. */
  redisUrl: string | undefined;
  /** `maxFaults`: number of wrong signatures of a batch after which the rest is not checked. */
  proofs: { policy: 'off' | 'warn' | 'enforce'; maxFaults: number; signingKeyHex: string | undefined };
  logKey: SigningKeyLocation;
  /** The chain for anchors; undefined without anchoring. */
  chain: ChainConfig | undefined;
  /** Variables that are set but have no effect in this version. */
  ignoredVariables: readonly string[];
  /** The variables in effect, by name, with masked secrets. */
  effective: Readonly<Record<string, string>>;
}

/** A wrong configuration. It lists every problem with its variable. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Reads the configuration from the environment; throws ConfigError with every problem in it. */
export function readConfig(environment: NodeJS.ProcessEnv = withEnvironmentFile()): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const problems: string[] = [];
  const issues = variables.safeParse(given).error?.issues ?? [];
  const faulty = issues.map(({ path }) => String(path[0]));
  // Each variable has a default or is optional.
  const read = variables.parse(
    Object.fromEntries(Object.entries(given).filter(([name]) => !faulty.includes(name))),
  );
  const keys = parseStaticKeys(given.API_KEYS ?? '');
  problems.push(
    ...issues.map(({ path, message }) => `${path.join('.')} ${message}`),
    ...findContradictions(read).filter((problem) => !namesOneOf(problem, faulty)),
    ...keys.problems,
  );
  const { media, problems: mediaProblems } = readMediaConfig(read);
  problems.push(...mediaProblems.filter((problem) => !namesOneOf(problem, faulty)));
  const { search, problems: searchProblems } = readSearchConfig(read, given.PATH ?? '');
  problems.push(...searchProblems.filter((problem) => !namesOneOf(problem, faulty)));
  if (problems.length > 0) throw new ConfigError(problems);
  return deepFreeze(toConfig(read, { given, staticKeys: keys.found, media, search }));
}

/** Whether a contradiction names an invalid variable. It may disappear when that variable is corrected. */
function namesOneOf(problem: string, names: readonly string[]): boolean {
  return names.some((name) => new RegExp(`\\b${name}\\b`).test(problem));
}

/** Reads the address and keys of a running service. Throws ConfigError. */
export function readClientConfig(environment: NodeJS.ProcessEnv = process.env): ClientConfig {
  const { config, problems } = toClientConfig(environment, readLogin(environment));
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/**
 * Reads the input of `colophon login`: an address, and the variables, without an earlier login. Throws ConfigError.
 */
export function readGivenClientConfig(address?: string): ClientConfig {
  const named = address === undefined ? {} : { COLOPHON_URL: address };
  const { config, problems } = toClientConfig({ ...process.env, ...named }, undefined);
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** Returns the file of a login. Throws ConfigError for a user without a home directory. */
export function requireLoginFile(): string {
  const file = loginFile(process.env);
  if (file === undefined) throw new ConfigError(['HOME must be set, e.g. HOME=/home/ann']);
  return file;
}

/** Returns the `.env` of the working directory; undefined without one. */
export function environmentFile(): string | undefined {
  const file = path.resolve('.env');
  return existsSync(file) ? file : undefined;
}

/** Returns the environment, completed by the variables of `.env`. Throws ConfigError. */
function withEnvironmentFile(): NodeJS.ProcessEnv {
  const file = environmentFile();
  if (file === undefined) return process.env;
  try {
    process.loadEnvFile(file);
  } catch (error) {
    throw new ConfigError([`.env cannot be read: ${error instanceof Error ? error.message : error}`]);
  }
  return process.env;
}

/** Reads the chain and the account of a deployment. Throws ConfigError. */
export function readDeployConfig(environment: NodeJS.ProcessEnv = process.env): DeployConfig {
  const { config, problems } = toDeployConfig(environment);
  if (config === undefined) throw new ConfigError(problems);
  return config;
}

function findContradictions(given: Variables): string[] {
  const problems: string[] = [];
  const embeddedAllowed = given.DATA_DIR !== undefined && given.ALLOW_EMBEDDED_IN_PRODUCTION;
  if (given.NODE_ENV === 'production' && given.DATABASE_URL === undefined && !embeddedAllowed) {
    problems.push(
      'DATABASE_URL must be set in production, e.g. postgresql://user:password@host:5432/name ' +
        '(or set DATA_DIR and ALLOW_EMBEDDED_IN_PRODUCTION=true)',
    );
  }
  for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL', 'DATABASE_POOLER'] as const)
    if (given[name] !== undefined && given.DATABASE_URL === undefined)
      problems.push(`${name} needs DATABASE_URL beside it`);
  if (given.ADMIN_PORT === given.PORT && given.PORT !== 0)
    problems.push('ADMIN_PORT must be another port than PORT, e.g. ADMIN_PORT=3002');
  if (given.SUPABASE_URL !== undefined && given.SUPABASE_SERVICE_KEY === undefined) {
    problems.push(
      'SUPABASE_URL needs SUPABASE_SERVICE_KEY beside it: the service_role or secret key of the project',
    );
  }
  if (given.SUPABASE_URL !== undefined && given.DATABASE_REPLICA_URL !== undefined) {
    problems.push(
      'DATABASE_REPLICA_URL does not work with SUPABASE_URL, which stores the records elsewhere: unset one of them',
    );
  }
  return [
    ...problems,
    ...findByteContradictions(given),
    ...findChainContradictions(given),
    ...findSignInContradictions(given),
  ];
}

function toConfig(
  read: Variables,
  {
    given,
    staticKeys,
    media,
    search,
  }: {
    given: NodeJS.ProcessEnv;
    staticKeys: readonly StaticKey[];
    media: MediaConfig;
    search: SearchConfig;
  },
): Config {
  const production = read.NODE_ENV === 'production';
  return {
    version: readVersion(),
    production,
    host: read.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    port: read.PORT,
    adminPort: read.ADMIN_PORT,
    metricsToken: read.METRICS_TOKEN,
    logLevel: read.LOG_LEVEL,
    tracing: toTracing(read),
    trustProxy: read.TRUST_PROXY,
    store: toStoreLocation(read),
    blobs: toBlobLocation(read),
    dataDirectory: read.DATA_DIR === undefined ? undefined : path.resolve(read.DATA_DIR),
    pinning: toPinning(read),
    staticKeys,
    management: { secret: read.MANAGEMENT_API_KEY, secretsKey: read.SECRETS_KEY },
    signIn: toSignIn(read),
    media,
    work: toWork(read),
    answerCacheBytes: read.ANSWER_CACHE_BYTES,
    search,
    allowPrivateAddresses: read.ALLOW_PRIVATE_ADDRESSES,
    auditIntervalMs: read.AUDIT_INTERVAL_MINUTES * 60_000,
    publicUrl: read.PUBLIC_URL,
    maxUploadBytes: read.MAX_UPLOAD_BYTES,
    maxJsonMembers: read.MAX_JSON_MEMBERS,
    maxBatchContents: read.MAX_BATCH_CONTENTS,
    provenanceKitRoutes: read.COMPAT_ROUTES,
    rateLimit: { perMinute: read.RATE_LIMIT_RPM, burst: read.RATE_LIMIT_BURST },
    projectRateLimit: { perMinute: read.PROJECT_RATE_LIMIT_RPM ?? tenKeys(read), burst: 0 },
    maxProjectUploads: read.MAX_PROJECT_UPLOADS,
    maxProjectBodyBytes: read.MAX_PROJECT_BODY_BYTES,
    maxProjectRequests: read.MAX_PROJECT_REQUESTS,
    maxProjectAnswerBytes: read.MAX_PROJECT_ANSWER_BYTES,
    maxFormMs: read.MAX_FORM_SECONDS * 1_000,
    redisUrl: read.REDIS_URL,
    proofs: {
      policy: read.PROOF_POLICY,
      maxFaults: read.MAX_PROOF_FAULTS,
      signingKeyHex: read.SERVER_SIGNING_KEY,
    },
    logKey: toSigningKeyLocation(read),
    chain: toChain(read),
    ignoredVariables: [
      ...(read.SUPABASE_URL === undefined && read.SUPABASE_SERVICE_KEY !== undefined
        ? ['SUPABASE_SERVICE_KEY']
        : []),
      ...unusedByteVariables(read),
      ...unusedChainVariables(read, given),
    ],
    effective: describe(read),
  };
}

function tenKeys({ RATE_LIMIT_RPM, RATE_LIMIT_BURST }: Variables): number {
  return 10 * (RATE_LIMIT_RPM + RATE_LIMIT_BURST);
}

/**
 * Chooses the signing key. Nodes on one database must share it. In production it must be set, or the log is not
 * signed.
 */
function toSigningKeyLocation(read: Variables): SigningKeyLocation {
  if (read.SERVER_SIGNING_KEY !== undefined) return { kind: 'given', seedHex: read.SERVER_SIGNING_KEY };
  if (read.NODE_ENV === 'production' && read.DATABASE_URL !== undefined) return { kind: 'none' };
  if (read.DATA_DIR === undefined) return { kind: 'memory' };
  return { kind: 'directory', directory: path.resolve(read.DATA_DIR) };
}

function toStoreLocation(read: Variables): StoreLocation {
  const supabase = toSupabaseLocation(read);
  if (read.DATABASE_URL !== undefined) {
    return {
      kind: 'postgresql',
      url: read.DATABASE_URL,
      directUrl: read.DATABASE_DIRECT_URL,
      replicaUrl: read.DATABASE_REPLICA_URL,
      ...(read.DATABASE_POOLER === 'transaction' ? { transactionPooler: true } : {}),
      supabase,
    };
  }
  if (read.DATA_DIR !== undefined)
    return { kind: 'directory', directory: path.resolve(read.DATA_DIR), supabase };
  return { kind: 'memory', supabase };
}

function toSupabaseLocation(read: Variables): StoreLocation['supabase'] {
  const { SUPABASE_URL: url, SUPABASE_SERVICE_KEY: serviceKey } = read;
  return url === undefined || serviceKey === undefined ? undefined : { url, serviceKey };
}

function describe(read: Variables): Record<string, string> {
  const entries = Object.entries(read).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, mask(name, String(value))]));
}

/** Masks secrets, and user, password and query of an address. */
function mask(name: string, value: string): string {
  if (SECRET_VARIABLES.includes(name)) return '***';
  if (!value.includes('://') || !URL.canParse(value)) return value;
  const url = new URL(value);
  if (SECRET_PATHS.includes(name)) return url.origin;
  if (url.username !== '') url.username = '***';
  if (url.password !== '') url.password = '***';
  url.search = '';
  url.hash = '';
  return url.toString();
}

/** Parses `key` or `key:project`, comma-separated. A key without a project belongs to `default`. */
function parseStaticKeys(text: string): { found: StaticKey[]; problems: string[] } {
  const found: StaticKey[] = [];
  const problems: string[] = [];
  const entries = text.split(',').map((part) => part.trim());
  for (const entry of entries.filter(Boolean)) {
    const [key = '', projectName = 'default', ...rest] = entry.split(':');
    if (/^\S{8,256}$/.test(key) && /^[\w.-]{1,64}$/.test(projectName) && rest.length === 0) {
      found.push({ key, projectName });
    } else {
      problems.push(
        'API_KEYS has an entry that is not key or key:project (a key has 8 to 256 characters), e.g. dev-key-1:photos',
      );
    }
  }
  if (new Set(found.map(({ key }) => key)).size !== found.length)
    problems.push('API_KEYS lists one key twice');
  return { found, problems };
}

function readVersion(): string {
  const manifest = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null) deepFreeze(member);
  }
  return Object.freeze(value);
}
