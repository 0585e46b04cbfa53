import { readdirSync, readFileSync } from 'node:fs';
import { createSigner } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inviteFirstAccount } from '../../server/src/management/sessions/invite-member.js';
import { findOperation, readOperations } from '../../server/test/contract/operations.js';
import { PNG } from '../../server/test/support/media.js';
import { cookiesOf, PASSWORD } from '../../server/test/support/page-user.js';
import {
  ANY_ENGINE,
  KEY,
  MANAGEMENT_KEY,
  type Service,
  startService,
} from '../../server/test/support/service.js';
import * as sdk from '../src/index.js';

const SOURCES = new URL('../src/', import.meta.url);
const OPENAPI = new URL('../../../docs/api/openapi.json', import.meta.url);

/** Some operations have two paths. The examples call only the path that is a value here. */
const SECOND_PATHS: Record<string, string> = {
  'POST /management/orgs/{slug}/projects': 'POST /management/projects',
  'GET /management/projects/{id}/api-keys': 'GET /management/api-keys/{id}',
  'POST /management/projects/{id}/api-keys': 'POST /management/api-keys',
  'GET /public/c2pa/matches/byBinding': 'GET /v1/c2pa/matches/byBinding',
  'POST /public/c2pa/matches/byBinding': 'POST /v1/c2pa/matches/byBinding',
  'POST /public/c2pa/matches/byContent': 'POST /v1/c2pa/matches/byContent',
  'GET /public/c2pa/manifests/{manifestId}': 'GET /v1/c2pa/manifests/{manifestId}',
  'GET /public/c2pa/services/supportedAlgorithms': 'GET /v1/c2pa/services/supportedAlgorithms',
};

const examples = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  // Payments need no service; their examples run in their own test.
  .filter((file) => file.endsWith('.ts') && !file.includes('payment'))
  .sort()
  .flatMap((file) =>
    examplesOf(readFileSync(new URL(file, SOURCES), 'utf8')).map((code) => ({ file, code })),
  );

const operations = readOperations(JSON.parse(readFileSync(OPENAPI, 'utf8')));
const reached = new Set<string>();
let service: Service;
let names: Record<string, unknown>;

beforeAll(async () => {
  service = await startService(ANY_ENGINE, { environment: { PUBLIC_DETECTOR: 'true' } });
  const url = service.base;
  const options = { url, fetch: noting };
  const colophon = sdk.createClient({ ...options, apiKey: KEY });
  const management = sdk.createManagementClient({
    ...options,
    managementKey: MANAGEMENT_KEY,
    userId: 'ann',
  });
  const page = sdk.createPageClient({ url, fetch: createBrowser(url) });
  const invitation = (await inviteFirstAccount(service.context.databases.control))?.split('#')[1] ?? '';
  await page.signUp({ invitation, name: 'ann', password: PASSWORD });
  await colophon.entities.create({ id: 'studio:ann', role: 'human', name: 'Ann' });
  await management.orgs.create({ name: 'Daily Planet', slug: 'planet' });
  const project = await management.projects.create({ orgSlug: 'planet', name: 'Front page' });
  names = {
    ...sdk,
    createSigner,
    colophon,
    management,
    page,
    password: PASSWORD,
    url,
    apiKey: KEY,
    managementKey: MANAGEMENT_KEY,
    projectId: project.id,
    png: new Uint8Array(PNG),
  };
});
afterAll(() => service.stop());

describe('the examples in docstrings', () => {
  it.each(examples)('state the actual result: $file: $code', async ({ code }) => {
    expect(code).toMatch(/; \/\/ => .+$/m);
    const checked = code.replaceAll(/^(.+); \/\/ => (.+)$/gm, 'check($1, $2);');
    const run = new Function(...Object.keys(names), 'check', `return (async () => {${checked}})();`);
    await run(...Object.values(names), (actual: unknown, expected: unknown) =>
      expect(actual).toEqual(expected),
    );
  });

  it('together call every operation, except those of `compat`, of public logs and of published pictures', () => {
    const missing = operations
      // Clients of tlog-tiles read public logs, and browsers load published pictures.
      .filter(({ tags, path: target }) => !tags.includes('compat') && !/^\/log\/|\/picture$/.test(target))
      .map(({ name }) => name)
      .filter((name) => !reached.has(SECOND_PATHS[name] ?? name));
    expect(missing).toEqual([]);
  });
});

function noting(target: string | URL | Request, init?: RequestInit): Promise<Response> {
  const { pathname } = new URL(String(target));
  const found = findOperation(operations, { method: init?.method ?? 'GET', target: pathname });
  reached.add(found?.name ?? `${init?.method} ${pathname}, which is not documented`);
  return fetch(target, init);
}

/** Adds what a browser adds: the origin, and the received cookies. */
function createBrowser(origin: string): typeof fetch {
  let cookie = '';
  return async (target, init) => {
    const headers = { ...(init?.headers as Record<string, string>), origin, cookie };
    const answer = await noting(target as string, { ...init, headers });
    cookie = cookiesOf(answer) || cookie;
    return answer;
  };
}

/** An example ends with its comment or at the next tag. */
function examplesOf(source: string): string[] {
  return [...source.matchAll(/@example\n((?: +\* [^@].*\n)+)/g)].map(([, block = '']) =>
    block.replaceAll(/^ +\* /gm, ''),
  );
}
