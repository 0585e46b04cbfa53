import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSharedAnswer } from '../../src/http/wire/shared-answer.js';
import { sendPath } from '../support/send-path.js';
import { ANY_ENGINE, type Service, startService } from '../support/service.js';

interface DocumentedOperation {
  operationId: string;
  tags: [string, ...string[]];
  security?: Record<string, unknown>[];
  'x-permission'?: string;
  'x-for-project'?: boolean;
}

function toCredentials(operation: DocumentedOperation): string {
  const [scheme] = Object.keys(operation.security?.[0] ?? {});
  if (scheme === 'managementKey') return 'Needs the management secret.';
  if (scheme === 'session')
    return 'Needs a signed-in user: the session cookie and, for changes, <code>X-CSRF-Token</code>.';
  if (scheme === undefined) return 'Needs no key.';
  const bound = operation['x-for-project']
    ? ' A key that is bound to one entity cannot call this operation.'
    : '';
  return `Needs an API key with the permission <code>${operation['x-permission']}</code>.${bound}`;
}

let service: Service;
const pages = new Map<string, string>();

const read = async (path: string) => {
  const known = pages.get(path);
  if (known !== undefined) return known;
  const answer = await fetch(service.base + path);
  const text = await answer.text();
  expect([path, answer.status]).toEqual([path, 200]);
  pages.set(path, text);
  return text;
};

beforeAll(async () => {
  service = await startService(ANY_ENGINE, { environment: { PUBLIC_LOGS: 'all', PUBLIC_DETECTOR: 'true' } });
});
afterAll(() => service.stop());

describe('the API reference', () => {
  it('shows every operation of the OpenAPI document on the page of its group, in three languages', async () => {
    const { paths } = await (await fetch(`${service.base}/openapi.json`)).json();
    const operations = Object.values<Record<string, DocumentedOperation>>(paths).flatMap(Object.values);
    expect(operations.length).toBeGreaterThan(140);
    for (const operation of operations) {
      const { operationId, tags } = operation;
      const html = await read(`/docs/${tags[0]}`);
      const [section = ''] =
        html.split(`<section class="operation" id="${operationId}"`)[1]?.split('</section>') ?? [];
      expect([
        operationId,
        section.match(/<figure class="sample (curl|typescript|python)">/g)?.length,
      ]).toEqual([operationId, 3]);
      expect(section).toContain(`<p class="needs">${toCredentials(operation)}</p>`);
      expect(section).not.toMatch(/undefined|\[object|NaN/);
    }
  });

  it('states the permission that a route needs', async () => {
    const html = await read('/docs/records');
    const permissionOf = (id: string) =>
      html
        .split(`id="${id}"`)[1]
        ?.match(/the permission <code>(\w+)<\/code>\.([^<]*)/)
        ?.slice(1);
    expect(permissionOf('getEntity')).toEqual(['read', '']);
    expect(permissionOf('createEntity')).toEqual(['write', '']);
    expect(permissionOf('erasePersonalData')?.[0]).toBe('admin');
  });

  it('has no dead link and no repeated id', async () => {
    const waiting = ['/docs'];
    const faults: string[] = [];
    const idsOf = new Map<string, ReadonlySet<string>>();
    const readIds = async (path: string) => {
      const html = await read(path);
      const known = idsOf.get(path);
      if (known !== undefined) return known;
      const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
      if (new Set(ids).size !== ids.length) faults.push(`${path} repeats an id`);
      idsOf.set(path, new Set(ids));
      return new Set(ids);
    };
    for (const path of waiting) {
      const links = [...(await read(path)).matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, link = '']) => link);
      for (const link of new Set(links)) {
        const { origin, pathname, hash } = new URL(link.replaceAll('&amp;', '&'), service.base + path);
        if (origin !== service.base) continue;
        const ids = await readIds(pathname);
        if (hash !== '' && !ids.has(decodeURIComponent(hash.slice(1))))
          faults.push(`${path} links to ${link}`);
        if (/^\/docs[^.]*$/.test(pathname) && !waiting.includes(pathname)) waiting.push(pathname);
      }
    }
    expect(faults).toEqual([]);
    expect(waiting.length).toBeGreaterThan(40);
    expect(waiting).toEqual(
      expect.arrayContaining(['/docs/tutorial', '/docs/guides/teams', '/docs/schemas']),
    );
  });

  it('shows the texts of the repository, with their code unchanged', async () => {
    const html = (await read('/docs/tutorial')).replaceAll('&#39;', "'");
    expect(html).toContain('<h1>Tutorial: from nothing to a shared public link</h1>');
    expect(html).toContain("-F 'file=@photo.jpg'");
    expect(html).toContain('<h2 id="2-record-a-file">');
  });

  it('lists the guides before the API, and first those that need no API', async () => {
    const html = await read('/docs');
    const [guides = '', api] = (html.split('<h2 id="guides">')[1] ?? '').split('<h2 id="api">');
    expect(api).toContain('<h2 id="operations">');
    const paths = [...guides.matchAll(/href="\/docs\/([^"]+)"/g)].map(([, path]) => path);
    expect(paths.slice(0, 4)).toEqual([
      'guides/using-the-page',
      'guides/exploring',
      'guides/page',
      'tutorial',
    ]);
    expect(paths.indexOf('guides/sdk')).toBeGreaterThan(paths.indexOf('tutorial'));
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('has an ETag on each page, and a repeated request gets 304', async () => {
    for (const path of ['/docs', '/docs/records', '/docs/schemas', '/docs/tutorial', '/docs/reference.css']) {
      const first = await fetch(service.base + path);
      await first.text();
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"/);
      const again = await fetch(service.base + path, { headers: { 'if-none-match': etag } });
      expect([path, again.status, again.headers.get('etag')]).toEqual([path, 304, etag]);
      const head = await fetch(service.base + path, { method: 'HEAD' });
      expect([path, head.status]).toEqual([path, 200]);
    }
    expect((await fetch(`${service.base}/docs/none`)).status).toBe(404);
    expect((await fetch(`${service.base}/docs/texts.json`)).status).toBe(404);
  });

  it.each(['/docs/guides/../../package.json', '/docs/..%2f..%2fpackage.json', '/docs/../index.html'])(
    'returns 404 for %s, which leads out of its folder',
    async (path) => expect(await sendPath(service.base, path)).toBe(404),
  );
});

describe('a shared response', () => {
  it('is rendered once for requests at the same time, and again only after a failure', async () => {
    let count = 0;
    const send = createSharedAnswer('text/plain', async () => {
      if (++count === 1) throw new Error('The first rendering fails.');
      return 'text';
    });
    const app = Fastify();
    app.get('/', (_request, reply) => send(reply));
    expect((await app.inject('/')).statusCode).toBe(500);
    const answers = await Promise.all([1, 2, 3].map(() => app.inject('/')));
    expect([...answers, await app.inject('/')].map(({ body }) => body)).toEqual(Array(4).fill('text'));
    expect(count).toBe(2);
    await app.close();
  });
});
