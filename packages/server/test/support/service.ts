import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inject } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import type { BlobStore } from '../../src/blobs/blob-store.js';
import { createMemoryStore, HALF_OF_THE_REST } from '../../src/blobs/memory-store.js';
import { createContext, type Overrides } from '../../src/compose.js';
import { type Config, readConfig } from '../../src/config.js';
import type { Context } from '../../src/context.js';
import { createMigratedDatabase } from './postgres.js';
import { startSupabase } from './supabase/supabase.js';

/** The engines of suites whose results can depend on the engine. */
export const ENGINES = ['PGlite in memory', 'PostgreSQL'] as const;
/** PGlite in a directory keeps the data after a restart. */
export const STORAGE_ENGINES = [...ENGINES, 'PGlite in a directory'] as const;
/** With Supabase, the control plane is in another database. */
export const RECORD_ENGINES = [...ENGINES, 'Supabase'] as const;
export type Engine = (typeof STORAGE_ENGINES)[number] | 'Supabase';

/** Runs a suite on PostgreSQL, or on PGlite in memory in a run without PostgreSQL. */
export const ANY_ENGINE = 'any engine';

/**
 * Returns the engines of a suite whose SQL statements do the same on each engine. Returns all of `engines` only with
 * LONG_TESTS.
 */
export function oneOrAll<T>(engines: readonly T[]): readonly (T | typeof ANY_ENGINE)[] {
  return process.env.LONG_TESTS ? engines : [ANY_ENGINE];
}

/** The two projects must not see each other. */
export const KEY = 'test-key-of-project-one';
export const OTHER_KEY = 'test-key-of-project-two';
const SHARED_SEED = '5e'.repeat(32);

export const MANAGEMENT_KEY = 'mk_live_of-the-tests';

/** No test depends on the cost of the hashes. */
const CHEAP_PASSWORDS = { costLog2: 10, blockSize: 8, parallelism: 1 };

export interface Service {
  context: Context;
  base: string;
  /** The listener of ADMIN_PORT. */
  adminBase: string | undefined;
  config: Config;
  /** Uses the first project's key, unless the headers carry another. */
  send(path: string, init?: RequestInit): Promise<Response>;
  /** Sends a request of a user to the control plane. The default method is POST with a body, and GET without one. */
  manage(userId: string, path: string, ask?: { method?: string; body?: unknown }): Promise<Response>;
  /** Records a file and returns the answer, whatever its status. */
  upload(content: Uint8Array | string, json?: object, headers?: Record<string, string>): Promise<Response>;
  /**
   * Deletes the stored bytes of this content in the first project. A store in memory loses the bytes of all contents.
   * Rejects if the service uses an S3 store.
   */
  loseBytes(content: string): Promise<void>;
  stop(): Promise<void>;
}

/** The service has its own database. */
export async function startService(
  engine: Engine | typeof ANY_ENGINE,
  options: { environment?: Record<string, string>; overrides?: Overrides; port?: number } = {},
): Promise<Service> {
  const directory = mkdtempSync(path.join(tmpdir(), 'colophon-test-'));
  const place = await openPlace(engine === ANY_ENGINE ? pickEngine(options) : engine, directory);
  const config = readConfig({
    PORT: '0',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_RPM: '1000000',
    MAX_USER_ORGS: '1000000',
    API_KEYS: `${KEY}:one,${OTHER_KEY}:two`,
    MANAGEMENT_API_KEY: MANAGEMENT_KEY,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    ...place.environment,
    ...sharedKeyFor(options.environment),
    ...options.environment,
  });
  const losable = createLosableStore(config);
  const signInPace = {
    ...{ perAddress: 1e6, perAddressAndAccount: 1e6, perAccount: 1e6, openIdPerAddress: 1e6 },
    passwordCost: CHEAP_PASSWORDS,
  };
  // Tests read metrics and readiness directly after a change.
  const overrides = { ...losable.overrides, signInPace, probeAgeMs: 0, ...options.overrides };
  const context = await createContext(config, overrides);
  await context.app.listen({ host: '127.0.0.1', port: options.port ?? 0 });
  const base = `http://127.0.0.1:${(context.app.server.address() as AddressInfo).port}`;
  const adminBase = await context.adminApp?.listen({ host: '127.0.0.1', port: 0 });
  const send: Service['send'] = (target, init = {}) =>
    fetch(base + target, { ...init, headers: { authorization: `Bearer ${KEY}`, ...init.headers } });
  const manage: Service['manage'] = (userId, target, { method, body } = {}) =>
    fetch(`${base}/management${target}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        authorization: `Bearer ${MANAGEMENT_KEY}`,
        'x-user-id': userId,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    context,
    base,
    adminBase,
    config,
    send,
    manage,
    upload: (content, json = ANN_CREATES, headers = {}) =>
      send('/v1/activity', { method: 'POST', body: toForm(content, json), headers }),
    loseBytes: losable.loseBytes,
    async stop() {
      const closed = context.close();
      // A test may leave answers unread.
      context.app.server.closeAllConnections();
      context.adminApp?.server.closeAllConnections();
      await closed;
      await place.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Services that share a database but no directory need one key. */
function sharedKeyFor({ DATABASE_URL, DATA_DIR }: Record<string, string> = {}): Record<string, string> {
  return DATABASE_URL === undefined || DATA_DIR !== undefined ? {} : { SERVER_SIGNING_KEY: SHARED_SEED };
}

/** The overrides replace a store in memory by one that `loseBytes` can empty. */
function createLosableStore({ blobs }: Config): {
  overrides: Overrides;
  loseBytes: Service['loseBytes'];
} {
  const hexOf = (content: string) => createHash('sha256').update(content).digest('hex');
  if (blobs.kind === 'dir') {
    const loseBytes = async (content: string) => {
      const hex = hexOf(content);
      const place = path.join('sha256', hex.slice(0, 2), hex.slice(2, 4), hex);
      rmSync(path.join(blobs.directory, namedProjectId('one'), place));
    };
    return { overrides: {}, loseBytes };
  }
  if (blobs.kind === 's3') return { overrides: {}, loseBytes: () => Promise.reject(new Error('not here')) };
  let current = createMemoryStore(blobs.capacityBytes, HALF_OF_THE_REST);
  const store: BlobStore = {
    durable: false,
    createWriter: (projectId) => current.createWriter(projectId),
    put: (ref, bytes) => current.put(ref, bytes),
    readSize: (ref) => current.readSize(ref),
    readContent: (...read) => current.readContent(...read),
    listContents: () => current.listContents(),
    remove: (ref) => current.remove(ref),
    readDocument: (name) => current.readDocument(name),
    writeDocument: (name, bytes) => current.writeDocument(name, bytes),
    removeDocument: (name) => current.removeDocument(name),
    release: (ref) => current.release(ref),
    check: () => current.check(),
    close: () => current.close(),
  };
  const loseBytes = async () => {
    current = createMemoryStore(blobs.capacityBytes, HALF_OF_THE_REST);
  };
  return { overrides: { blobs: store }, loseBytes };
}

export const ANN_CREATES = { entity: { role: 'human', name: 'Ann' }, action: { type: 'create' } };

export function toForm(content: Uint8Array | string, json: object): FormData {
  const form = new FormData();
  form.set('file', new Blob([content as BlobPart]), 'photo.jpg');
  form.set('json', JSON.stringify(json));
  return form;
}

export function jsonPost(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  };
}

/**
 * Returns PGlite in memory if the test itself sets `DATABASE_URL` or `DATA_DIR`. For this engine, `openPlace` sets no
 * variables, so the service uses the variables of the test.
 */
function pickEngine({ environment = {} }: { environment?: Record<string, string> }): Engine {
  const hasPlace = environment.DATABASE_URL !== undefined || environment.DATA_DIR !== undefined;
  return hasPlace || inject('postgresUrl') === '' ? 'PGlite in memory' : 'PostgreSQL';
}

interface Place {
  environment: Record<string, string>;
  close(): Promise<void>;
}

async function openPlace(engine: Engine, directory: string): Promise<Place> {
  const close = async () => {};
  switch (engine) {
    case 'PGlite in memory':
      return { environment: {}, close };
    case 'PGlite in a directory':
      return { environment: { DATA_DIR: directory }, close };
    case 'PostgreSQL': {
      const DATABASE_URL = await createMigratedDatabase(inject('postgresUrl'));
      return { environment: { DATABASE_URL, DATA_DIR: directory }, close };
    }
    case 'Supabase': {
      const { rest, serviceKey, stop } = await startSupabase();
      const control = await openPlace('PostgreSQL', directory);
      const supabase = { SUPABASE_URL: rest.url, SUPABASE_SERVICE_KEY: serviceKey };
      return { environment: { ...control.environment, ...supabase }, close: stop };
    }
  }
}
