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
import { type ManagementConfig, toManagement } from './config/management.js';
import { type MediaConfig, readMediaConfig } from './config/media.js';
import { findProgramProblems, readSearchConfig, type SearchConfig, toProgram } from './config/search.js';
import { findSignInContradictions, type SignInConfig, toSignIn } from './config/sign-in.js';
import { toSigningKeyLocation } from './config/signing-key.js';
import { readTimestamping, type TimestampingConfig } from './config/timestamps.js';
import { type TracingConfig, toTracing } from './config/tracing.js';
import { SECRET_PATHS, SECRET_VARIABLES, type Variables, variables } from './config/variables.js';
import { readWitnesses, type WitnessingConfig } from './config/witnesses.js';
import { toWork, type WorkConfig } from './config/work.js';
import type { StoreLocation } from './platform/db/open-databases.js';
import type { SigningKeyLocation } from './transparency-log/signing-key.js';

/** Frozen. Sizes are in bytes. */
export interface Config {
  version: string;
  production: boolean;
  host: string;
  port: number;
  /** Port of `/management` and `/metrics`. When undefined, they use `port`. */
  adminPort: number | undefined;
  /** When undefined, `/metrics` requires no token. */
  metricsToken: string | undefined;
  logLevel: string;
  tracing: TracingConfig;
  /** Proxies that may report the caller's address. */
  trustProxy: boolean | number | string[];
  store: StoreLocation;
  blobs: BlobLocation;
  dataDirectory: string | undefined;
  pinning: PinningConfig;
  staticKeys: readonly StaticKey[];
  management: ManagementConfig;
  signIn: SignInConfig;
  media: MediaConfig;
  work: WorkConfig;
  search: SearchConfig;
  answerCacheBytes: number;
  /** Whether projects may configure addresses in private networks. */
  allowPrivateAddresses: boolean;
  /** Time between two integrity checks. 0 turns them off. */
  integrityIntervalMs: number;
  publicUrl: string | undefined;
  maxUploadBytes: number;
  /** Maximum number of members in the JSON of a record. */
  maxJsonMembers: number;
  /** Whether the service has the unversioned routes of the ProvenanceKit SDK. */
  provenanceKitRoutes: boolean;
  /** Undefined without PUBLIC_DETECTOR. `perMinute`: maximum number of requests of one address. */
  detector: { perMinute: number; maxBytes: number } | undefined;
  rateLimit: Allowance;
  projectRateLimit: Allowance;
  /** Maximum number of concurrent large forms and large raw bodies of one project. */
  maxProjectUploads: number;
  /** Bytes per second of the large bodies of one project, while other projects have requests. */
  projectUploadBytesPerSecond: number;
  /** Maximum total size of the concurrent bodies of one project. Large forms and large raw bodies do not count. */
  maxProjectBodyBytes: number;
  maxProjectRequests: number;
  /** Maximum total size of the long responses that the callers of one project or address have not read yet. */
  maxProjectAnswerBytes: number;
  /** Maximum number of open connections of one client address. */
  maxAddressConnections: number;
  /** Time limit for receiving a form. */
  maxFormMs: number;
  /** Redis that counts the requests of all nodes. When undefined, each node counts its own requests. */
  redisUrl: string | undefined;
  /** `maxFaults`: after this number of invalid signatures, the service checks no further signature of a batch. */
  proofs: { policy: 'off' | 'warn' | 'enforce'; maxFaults: number; signingKeyHex: string | undefined };
  logKey: SigningKeyLocation;
  /** Logs that everybody may read without a key: no logs, the logs of projects that permit it, or all logs. */
  publicLogs: 'off' | 'permitted' | 'all';
  chain: ChainConfig | undefined;
  /** Maximum number of identifiers of one project whose SHA-256 begins with the same 3 bytes (MAX_PREFIX_NAMES). */
  maxPrefixNames: number;
  witnessing: WitnessingConfig | undefined;
  timestamping: TimestampingConfig | undefined;
  /** Variables that are set but have no effect in this version. */
  ignoredVariables: readonly string[];
  /** Effective variables by name, with masked secrets. */
  effective: Readonly<Record<string, string>>;
}

/** `problems` names the variable of each problem. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Throws ConfigError with every problem. */
export function readConfig(environment: NodeJS.ProcessEnv = withEnvironmentFile()): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const problems: string[] = [];
  const issues = variables.safeParse(given).error?.issues ?? [];
  const faulty = issues.map(({ path }) => String(path[0]));
  // `parse` cannot throw here: the invalid variables are removed, and every variable is optional or has a default.
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
  problems.push(...readWitnesses(read).problems);
  problems.push(...readTimestamping(read).problems.filter((problem) => !namesOneOf(problem, faulty)));
  if (problems.length > 0) throw new ConfigError(problems);
  return deepFreeze(toConfig(read, { given, staticKeys: keys.found, media, search }));
}

/** A contradiction that names an invalid variable may disappear when the operator corrects this variable. */
function namesOneOf(problem: string, names: readonly string[]): boolean {
  return names.some((name) => new RegExp(`\\b${name}\\b`).test(problem));
}

export function readClientConfig(environment: NodeJS.ProcessEnv = process.env): ClientConfig {
  const { config, problems } = toClientConfig(environment, readLogin(environment));
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** Ignores a stored login. Throws ConfigError. */
export function readGivenClientConfig(address?: string): ClientConfig {
  const named = address === undefined ? {} : { COLOPHON_URL: address };
  const { config, problems } = toClientConfig({ ...process.env, ...named }, undefined);
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** Throws ConfigError if XDG_CONFIG_HOME and the home directory are unset. */
export function requireLoginFile(): string {
  const file = loginFile(process.env);
  if (file === undefined) throw new ConfigError(['HOME must be set, e.g. HOME=/home/ann']);
  return file;
}

/** Returns the path of `.env` in the working directory; undefined when there is no such file. */
export function environmentFile(): string | undefined {
  const file = path.resolve('.env');
  return existsSync(file) ? file : undefined;
}

/** A variable of the environment has precedence over `.env`. Throws ConfigError. */
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

/**
 * Reads the programs of the host for a command that needs no other variable. Throws ConfigError for a wrong `FPCALC` or
 * `FFMPEG`.
 */
export function readDecoders({ PATH = '', ...environment }: NodeJS.ProcessEnv = process.env) {
  const [fpcalc, ffmpeg] = [environment.FPCALC || undefined, environment.FFMPEG || undefined];
  const problems = [...findProgramProblems('FPCALC', fpcalc), ...findProgramProblems('FFMPEG', ffmpeg)];
  if (problems.length > 0) throw new ConfigError(problems);
  return { fpcalc: toProgram('fpcalc', fpcalc, PATH), ffmpeg: toProgram('ffmpeg', ffmpeg, PATH) };
}

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
      problems.push(`${name} needs DATABASE_URL`);
  if (given.ADMIN_PORT === given.PORT && given.PORT !== 0)
    problems.push('ADMIN_PORT must be another port than PORT, e.g. ADMIN_PORT=3002');
  if (given.SUPABASE_URL !== undefined && given.SUPABASE_SERVICE_KEY === undefined) {
    problems.push('SUPABASE_URL needs SUPABASE_SERVICE_KEY, the service_role or secret key of the project');
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
    management: toManagement(read),
    signIn: toSignIn(read),
    media,
    work: toWork(read),
    answerCacheBytes: read.ANSWER_CACHE_BYTES,
    search,
    allowPrivateAddresses: read.ALLOW_PRIVATE_ADDRESSES,
    integrityIntervalMs: read.AUDIT_INTERVAL_MINUTES * 60_000,
    publicUrl: read.PUBLIC_URL,
    maxUploadBytes: read.MAX_UPLOAD_BYTES,
    maxJsonMembers: read.MAX_JSON_MEMBERS,
    provenanceKitRoutes: read.COMPAT_ROUTES,
    detector: read.PUBLIC_DETECTOR
      ? { perMinute: read.PUBLIC_DETECTOR_RPM, maxBytes: read.PUBLIC_DETECTOR_BYTES }
      : undefined,
    rateLimit: { perMinute: read.RATE_LIMIT_RPM, burst: read.RATE_LIMIT_BURST },
    projectRateLimit: { perMinute: read.PROJECT_RATE_LIMIT_RPM ?? tenKeys(read), burst: 0 },
    maxProjectUploads: read.MAX_PROJECT_UPLOADS,
    projectUploadBytesPerSecond: read.PROJECT_UPLOAD_BYTES_PER_SECOND,
    maxProjectBodyBytes: read.MAX_PROJECT_BODY_BYTES,
    maxProjectRequests: read.MAX_PROJECT_REQUESTS,
    maxProjectAnswerBytes: read.MAX_PROJECT_ANSWER_BYTES,
    maxAddressConnections: read.MAX_ADDRESS_CONNECTIONS,
    maxFormMs: read.MAX_FORM_SECONDS * 1_000,
    redisUrl: read.REDIS_URL,
    proofs: {
      policy: read.PROOF_POLICY,
      maxFaults: read.MAX_PROOF_FAULTS,
      signingKeyHex: read.SERVER_SIGNING_KEY,
    },
    logKey: toSigningKeyLocation(read),
    publicLogs: read.PUBLIC_LOGS,
    chain: toChain(read),
    maxPrefixNames: read.MAX_PREFIX_NAMES,
    witnessing: readWitnesses(read).witnessing,
    timestamping: readTimestamping(read).timestamping,
    ignoredVariables: [
      ...(read.SUPABASE_URL === undefined && read.SUPABASE_SERVICE_KEY !== undefined
        ? ['SUPABASE_SERVICE_KEY']
        : []),
      ...(read.DATABASE_REPLICA_URL === undefined && read.DATABASE_REPLICA_STALENESS_MS !== undefined
        ? ['DATABASE_REPLICA_STALENESS_MS']
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

function toStoreLocation(read: Variables): StoreLocation {
  const supabase = toSupabaseLocation(read);
  if (read.DATABASE_URL !== undefined) {
    return {
      kind: 'postgresql',
      url: read.DATABASE_URL,
      directUrl: read.DATABASE_DIRECT_URL,
      replicaUrl: read.DATABASE_REPLICA_URL,
      replicaStalenessMs: read.DATABASE_REPLICA_STALENESS_MS,
      connections: read.DATABASE_CONNECTIONS,
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

/** Masks secrets, and the user and password of an address. Removes the query of an address. */
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

/** Parses a comma-separated list of `key` or `key:project`. A key without a project belongs to `default`. */
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
