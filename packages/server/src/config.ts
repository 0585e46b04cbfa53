import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { StaticKey } from './access/authenticate.js';
import type { StorePlace } from './db/open-databases.js';

/** The configuration, complete and frozen; sizes in bytes. */
export interface Config {
  /** Of this package. */
  version: string;
  production: boolean;
  host: string;
  port: number;
  logLevel: string;
  store: StorePlace;
  blobs: { kind: 'memory'; capacityBytes: number } | { kind: 'dir'; directory: string };
  staticKeys: readonly StaticKey[];
  maxUploadBytes: number;
}

/** A wrong configuration: every problem at once, each with its variable. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Variables of the specification that this version does not act on: setting one must not be silently ignored. */
const NOT_SERVED = [
  'SUPABASE_URL',
  'SUPABASE_SERVICE_KEY',
  'PINATA_JWT',
  'PINATA_GATEWAY',
  'BLOCKCHAIN_RPC_URL',
  'BLOCKCHAIN_CONTRACT_ADDRESS',
  'BLOCKCHAIN_PRIVATE_KEY',
  'MANAGEMENT_API_KEY',
  'RATE_LIMIT_RPM',
  'RATE_LIMIT_BURST',
];

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
  );

const MEBIBYTE = 2 ** 20;

const variables = z.object({
  NODE_ENV: z
    .enum(['development', 'test', 'production'], 'must be development, test or production')
    .default('development'),
  HOST: z.string().optional(),
  PORT: wholeNumber(0, 65_535, '3001').default(3001),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'must be a level, e.g. info')
    .default('info'),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  DATA_DIR: z.string().optional(),
  ALLOW_EMBEDDED_IN_PRODUCTION: flag.default(false),
  API_KEYS: z.string().optional(),
  BLOB_STORE: z.enum(['memory', 'dir'], 'must be memory or dir').optional(),
  MAX_UPLOAD_BYTES: wholeNumber(1, 2 ** 40, '536870912').default(512 * MEBIBYTE),
  MEMORY_STORE_BYTES: wholeNumber(1, 2 ** 40, '1073741824').default(1024 * MEBIBYTE),
  PROOF_POLICY: z.enum(['off'], 'can only be off: this version does not verify proofs').default('off'),
});

type Variables = z.output<typeof variables>;

/** Reads the configuration from the environment; throws ConfigError with every problem in it. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const problems = NOT_SERVED.filter((name) => given[name] !== undefined).map(
    (name) => `${name} is set, but this version does not act on it: unset it`,
  );
  const parsed = variables.safeParse(given);
  if (!parsed.success) {
    problems.push(...parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`));
    throw new ConfigError(problems);
  }
  const keys = parseStaticKeys(parsed.data.API_KEYS ?? '');
  problems.push(...findContradictions(parsed.data), ...keys.problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(toConfig(parsed.data, keys.found));
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
  if (given.DATABASE_DIRECT_URL !== undefined && given.DATABASE_URL === undefined) {
    problems.push('DATABASE_DIRECT_URL needs DATABASE_URL beside it');
  }
  if (given.BLOB_STORE === 'dir' && given.DATA_DIR === undefined) {
    problems.push('BLOB_STORE=dir needs DATA_DIR, e.g. DATA_DIR=/var/lib/colophon');
  }
  return problems;
}

function toConfig(given: Variables, staticKeys: readonly StaticKey[]): Config {
  const production = given.NODE_ENV === 'production';
  return {
    version: readVersion(),
    production,
    host: given.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    port: given.PORT,
    logLevel: given.LOG_LEVEL,
    store: toStorePlace(given),
    blobs:
      given.DATA_DIR !== undefined && given.BLOB_STORE !== 'memory'
        ? { kind: 'dir', directory: path.resolve(given.DATA_DIR, 'blobs') }
        : { kind: 'memory', capacityBytes: given.MEMORY_STORE_BYTES },
    staticKeys,
    maxUploadBytes: given.MAX_UPLOAD_BYTES,
  };
}

function toStorePlace(given: Variables): StorePlace {
  if (given.DATABASE_URL !== undefined) {
    return { kind: 'postgresql', url: given.DATABASE_URL, directUrl: given.DATABASE_DIRECT_URL };
  }
  if (given.DATA_DIR !== undefined) return { kind: 'directory', directory: path.resolve(given.DATA_DIR) };
  return { kind: 'memory' };
}

/** `key` or `key:project`, comma-separated; a bare key belongs to the project `default`. */
function parseStaticKeys(text: string): { found: StaticKey[]; problems: string[] } {
  const found: StaticKey[] = [];
  const problems: string[] = [];
  for (const entry of text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)) {
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
    problems.push('API_KEYS names one key twice');
  return { found, problems };
}

function readVersion(): string {
  const manifest = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
