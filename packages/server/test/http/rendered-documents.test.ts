import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { selectRoutes } from '../../src/http/openapi/openapi.js';
import {
  type DescribedRoutes,
  openDocuments,
  packDocuments,
} from '../../src/http/wire/rendered-documents.js';
import { writeDocuments } from '../../src/http/write-documents.js';
import { ANY_ENGINE, type Service, startService } from '../support/service.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const readJson = (file: string) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));
const DOCUMENT = readJson('docs/api/openapi.json');
const PUBLIC_URL = 'https://colophon.example';
/** Only the ProvenanceKit SDK uses this path. */
const COMPAT_PATH = '/media/ai-check/';
const FORMS = ['/openapi.json', '/docs/json', '/docs/yaml', '/llms.txt'];

describe('the descriptions of the API that the build renders', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-documents-'));
  const documentsFile = pathToFileURL(path.join(folder, 'documents.bin'));
  let rendered: Service;
  let unrendered: Service;
  beforeAll(async () => {
    await writeDocuments(DOCUMENT, readJson('packages/web/dist/docs/texts.json'), documentsFile);
    const environment = { PUBLIC_URL };
    [rendered, unrendered] = await Promise.all([
      startService(ANY_ENGINE, { environment, overrides: { documentsFile } }),
      startService(ANY_ENGINE, { environment }),
    ]);
  });
  afterAll(async () => {
    await Promise.all([rendered.stop(), unrendered.stop()]);
    rmSync(folder, { recursive: true });
  });

  const read = async ({ base }: Service, url: string) => {
    const answer = await fetch(base + url);
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
  };

  it('are the same that a request would render, and no request renders them', async () => {
    const swagger = vi.spyOn(rendered.context.app, 'swagger');
    const overview = await read(rendered, '/docs');
    const links = [...overview.text.matchAll(/href="(\/docs\/[\w/-]+)"/g)].map(([, link = '']) => link);
    const urls = new Set(['/docs', ...FORMS, ...links]);
    expect(urls.size).toBeGreaterThan(40);
    const differing: string[] = [];
    for (const url of urls) {
      const [one, other] = [await read(rendered, url), await read(unrendered, url)];
      expect([url, one.status, one.type]).toEqual([url, 200, other.type]);
      if (one.text !== other.text) differing.push(url);
    }
    expect(differing).toEqual([]);
    expect(overview.text).toContain(`<code>${PUBLIC_URL}</code>`);
    expect(swagger).not.toHaveBeenCalled();
  });

  it('leave out the routes for the ProvenanceKit SDK with COMPAT_ROUTES=false', async () => {
    const environment = { PUBLIC_URL, COMPAT_ROUTES: 'false' };
    const service = await startService(ANY_ENGINE, { environment, overrides: { documentsFile } });
    const swagger = vi.spyOn(service.context.app, 'swagger');
    // The text for language models never has these routes.
    for (const url of FORMS.filter((form) => form !== '/llms.txt')) {
      expect((await read(rendered, url)).text).toContain(COMPAT_PATH);
      expect((await read(service, url)).text).not.toContain(COMPAT_PATH);
    }
    expect((await read(rendered, '/docs/compat')).status).toBe(200);
    expect((await read(service, '/docs/compat')).status).toBe(404);
    expect(swagger).not.toHaveBeenCalled();
    const document = JSON.parse((await read(service, '/openapi.json')).text);
    expect(document).toEqual(service.context.app.swagger());
    await service.stop();
  });

  it('stay the same while a service runs and another build replaces their file', async () => {
    const file = pathToFileURL(path.join(folder, 'replaced.bin'));
    const routes: DescribedRoutes = { part: 'all', compat: true };
    await packDocuments(file, [{ ...routes, name: 'json', text: 'of this build' }]);
    const documents = await openDocuments(file, routes);
    await packDocuments(file, []);
    expect(await documents?.read('json')).toBe('of this build');
  });
});

describe('the routes that the build selects from the OpenAPI document', () => {
  it.each([true, false])('are those of each port with ADMIN_PORT (COMPAT_ROUTES=%s)', async (compat) => {
    const environment = { ADMIN_PORT: '0', COMPAT_ROUTES: String(compat) };
    const service = await startService(ANY_ENGINE, { environment });
    const { app, adminApp } = service.context;
    expect(selectRoutes(DOCUMENT, { part: 'callers', compat })).toEqual(app.swagger());
    expect(selectRoutes(DOCUMENT, { part: 'operators', compat: false })).toEqual(adminApp?.swagger());
    await service.stop();
  });
});
