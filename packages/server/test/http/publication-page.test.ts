import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANY_ENGINE, jsonPost, OTHER_KEY, type Service, startService } from '../support/service.js';

const UNKNOWN_ID = 'A'.repeat(24);
const NAME = 'Ann <script>alert(1)</script> & "Quill"';
const FILE_NAME = 'secret-plan.jpg';

let service: Service;
let photo: { cid: string };
let edited: { cid: string };

beforeAll(async () => {
  service = await startService(ANY_ENGINE);
  const entity = { id: 'studio:ann', role: 'human', name: NAME };
  photo = await upload(await makeTurnedPhoto(), { entity, title: FILE_NAME });
  edited = await upload(Buffer.from('an edited text'), {
    entity,
    action: { type: 'transform', inputCids: [photo.cid], aiTool: { provider: 'Acme', model: 'brush' } },
  });
});
afterAll(() => service.stop());

const upload = async (content: Uint8Array, json: object) =>
  (await service.upload(content, json)).json() as Promise<{ cid: string }>;

/** EXIF data turns the picture to 400 x 1,600. */
function makeTurnedPhoto(): Promise<Buffer> {
  const background = { r: 10, g: 120, b: 200 };
  return sharp({ create: { width: 1600, height: 400, channels: 3, background } })
    .withExif({ IFD0: { Artist: NAME }, IFD3: { GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

const publish = async (options: object) => {
  const answer = await service.send('/v1/publications', jsonPost(options));
  expect(answer.status).toBe(201);
  return (await answer.json()).id as string;
};
const open = (id: string, init: RequestInit = {}) => fetch(`${service.base}/app/p/${id}`, init);
const openPicture = (id: string, init: RequestInit = {}) =>
  fetch(`${service.base}/app/api/public/${id}/picture`, init);
const metaOf = (html: string, property: string) =>
  new RegExp(`<meta property="${property}" content="([^"]*)">`).exec(html)?.[1];
const restore = (id: string, headers: Record<string, string> = {}) =>
  service.send(`/v1/publications/${id}/restore`, { method: 'POST', headers });
const revoke = (id: string) => service.send(`/v1/publications/${id}`, { method: 'DELETE' });

describe('the page of a publication', () => {
  it('has the facts as escaped HTML: the level of AI, the makers and the steps by date', async () => {
    const answer = await open(await publish({ cid: edited.cid, title: 'Tom & <b>Jo</b>' }));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const html = await answer.text();
    expect(html).toContain('<title>Tom &amp; &lt;b&gt;Jo&lt;/b&gt; · Colophon</title>');
    expect(metaOf(html, 'og:title')).toBe('Tom &amp; &lt;b&gt;Jo&lt;/b&gt;');
    expect(metaOf(html, 'og:description')).toContain('AI-edited (Acme brush).');
    expect(html).toContain('<img src="/public/labels/ai-modified.svg" alt="AI MODIFIED"');
    expect(html).not.toContain('<script>alert');
    const steps = [...html.matchAll(/<li><time[^>]*>[^<]*<\/time>: (.*)<\/li>/g)].map(([, step]) => step);
    const name = '<strong>Ann &lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;Quill&quot;</strong>';
    expect(steps).toEqual([
      expect.stringContaining(`${name} made another file `),
      expect.stringMatching(/edited this content from another file .* with Acme brush/),
    ]);
  });

  it('contains the history for its scripts, and is not listed by search engines', async () => {
    const id = await publish({ cid: edited.cid });
    const html = await (await open(id)).text();
    const [, json = ''] = /<script type="application\/json" id="published">(.*?)<\/script>/s.exec(html) ?? [];
    expect(JSON.parse(json)).toEqual(await (await fetch(`${service.base}/app/api/public/${id}`)).json());
    expect(html).toContain('<meta name="robots" content="noindex">');
    expect(html).toMatch(/<script type="module"[^>]* src="\/app\/assets\/[^"]+\.js">/);
  });

  it('has the Content Security Policy of the page, and caches revalidate it at each use', async () => {
    const id = await publish({ cid: edited.cid });
    const { headers } = await open(id);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get('cache-control')).toBe('no-cache');
    const again = await open(id, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('truncates long names of AI tools and licences, also in its JSON', async () => {
    const long = '&'.repeat(40_000);
    const record = async (type: string, inputCids: string[], place: number) => {
      const extensions = {
        'ext:ai@1.0.0': { provider: `${place}`, model: long, version: long },
        'ext:license@1.0.0': { type: `${place} ${long}` },
      };
      const action = { type, inputCids, extensions };
      return (
        await upload(Buffer.from(`step ${place}`), { entity: { id: 'studio:ann', role: 'human' }, action })
      ).cid;
    };
    const source = await record('create', [], 0);
    const id = await publish({ cid: await record('transform', [source], 1), license: true });
    const [html = ''] = (await (await open(id)).text()).split('<script type="application/json"');
    expect(html).toContain(`with 1 ${'&amp;'.repeat(255)}… ${'&amp;'.repeat(127)}….`);
    expect(html).toContain(`Licence: 1 ${'&amp;'.repeat(253)}….`);
    expect(html.length).toBeLessThan(50_000);
    const { facts, steps } = await (await fetch(`${service.base}/app/api/public/${id}`)).json();
    expect(steps[1].tool.model).toHaveLength(256);
    expect(JSON.stringify(facts).length).toBeLessThan(3_000);
  });

  it('shows a title of a content only if the publication shows titles', async () => {
    const withheld = await (await open(await publish({ cid: photo.cid }))).text();
    expect(withheld).not.toContain(FILE_NAME);
    expect(metaOf(withheld, 'og:title')).toMatch(/^Origin of a picture \(Ann /);
    const shown = await (await open(await publish({ cid: photo.cid, titles: true }))).text();
    expect(metaOf(shown, 'og:title')).toBe(FILE_NAME);
  });

  it('shows pseudonyms instead of hidden entities and withheld names', async () => {
    for (const settings of [{ hiddenEntities: 'all' }, { withhold: ['names', 'tools'] }]) {
      const html = await (await open(await publish({ cid: edited.cid, ...settings }))).text();
      expect(html).not.toContain('Quill');
      expect(html).toMatch(
        /<strong>Person (under the pseudonym [0-9a-f]{6}|without a name \([0-9a-f]{6}\))<\/strong>/,
      );
    }
    const html = await (await open(await publish({ cid: edited.cid, withhold: ['tools'] }))).text();
    expect(metaOf(html, 'og:description')).toContain('AI use not disclosed.');
    expect(html).not.toContain('brush');
  });

  it('returns 404 with an explanation if the publication is absent or revoked', async () => {
    const id = await publish({ cid: edited.cid });
    await revoke(id);
    for (const one of [id, UNKNOWN_ID, 'nonsense']) {
      const answer = await open(one);
      const html = await answer.text();
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-cache']);
      expect(html).toContain('<h1>Nothing is published here</h1>');
      expect(html).not.toContain('Quill');
    }
  });
});

describe('the picture of a publication', () => {
  it('is a smaller upright JPEG without metadata, if the publisher chose it', async () => {
    const id = await publish({ cid: photo.cid, picture: true });
    const answer = await openPicture(id);
    expect(answer.headers.get('content-type')).toBe('image/jpeg');
    const bytes = Buffer.from(await answer.arrayBuffer());
    const { width, height, exif, icc, xmp, orientation } = await sharp(bytes).metadata();
    expect({ width, height, exif, icc, xmp, orientation }).toEqual({ width: 300, height: 1200 });
    expect(bytes.includes('Quill')).toBe(false);
    const again = await openPicture(id, { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
    const html = await (await open(id)).text();
    expect(metaOf(html, 'og:image')).toBe(`${service.base}/app/api/public/${id}/picture`);
  });

  it('is absent by default, for content that is no picture, and for a damaged picture', async () => {
    const head = (await makeTurnedPhoto()).subarray(0, 2_000);
    const damaged = await upload(head, { entity: { role: 'human', name: 'Bo' }, resourceType: 'image' });
    for (const [options, hasAddress] of [
      [{ cid: photo.cid }, false],
      [{ cid: edited.cid, picture: true }, false],
      [{ cid: damaged.cid, picture: true }, true],
    ] as const) {
      const id = await publish(options);
      expect((await openPicture(id)).status).toBe(404);
      expect(metaOf(await (await open(id)).text(), 'og:image') !== undefined).toBe(hasAddress);
    }
  });

  it('ends with the publication', async () => {
    const id = await publish({ cid: photo.cid, picture: true });
    expect((await openPicture(id)).headers.get('cache-control')).toBe('public, no-cache');
    await revoke(id);
    expect((await openPicture(id)).status).toBe(404);
  });
});

describe('a revoked publication', () => {
  it('is public again under the same link when its project restores it within a minute', async () => {
    const id = await publish({ cid: edited.cid, title: 'Back again' });
    await revoke(id);
    expect((await open(id)).status).toBe(404);
    expect((await restore(id, { authorization: `Bearer ${OTHER_KEY}` })).status).toBe(404);
    const restored = await restore(id);
    expect([restored.status, await restored.json()]).toEqual([
      200,
      expect.objectContaining({ id, path: `/app/p/${id}`, revokedAt: null }),
    ]);
    expect((await open(id)).status).toBe(200);
    expect((await restore(id)).status).toBe(200);
    const { entries } = await (await service.manage('operator', '/orgs/local/audit?limit=5')).json();
    const actions = entries.filter(({ target }: { target: string }) => target === id);
    expect(actions.map(({ action }: { action: string }) => action)).toEqual([
      'publication.restore',
      'publication.revoke',
      'publication.create',
    ]);
  });

  it('stays revoked after a minute', async () => {
    const id = await publish({ cid: edited.cid });
    await revoke(id);
    const { control } = service.context.databases;
    await control.query(
      `update control.publication set revoked_at = now() - interval '61 seconds' where id = $1`,
      [id],
    );
    const late = await restore(id);
    const { error } = await late.json();
    expect([late.status, error.code]).toEqual([409, 'Conflict']);
    expect(error.message).toContain('more than 60 s ago');
    expect((await open(id)).status).toBe(404);
  });
});
