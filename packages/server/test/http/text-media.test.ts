import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MediaFile, makeMediaFiles } from '../support/media-files.js';
import { createMediaClient, mediaForm } from '../support/media-form.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';

const TEXT = 'An article of the tests.\n';
const PAGE = `<!doctype html>\n<html><head><title>A page</title></head><body>${TEXT}</body></html>\n`;
const BOMB = `<?xml version="1.0"?>
<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">${[...'bcdefghij'].map((name, at) => `<!ENTITY ${name} "${`&${'abcdefghi'[at]};`.repeat(10)}">`).join('')}]>
<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script><text>&j;</text></svg>
`;
const AT_END = { textForm: 'unstructured' };
const files = await makeMediaFiles();
const toSvg = (shapes: string[]) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${shapes.join('')}</svg>`);

let service: Service;
beforeAll(async () => {
  service = await startService(ANY_ENGINE);
  await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human', name: 'Ann' }));
});
afterAll(() => service.stop());

const { post, embed, bytesOf } = createMediaClient(() => service);

describe('Content Credentials of a text', () => {
  it.each([
    ['plain text', TEXT, 'text/plain', {}, /sts\.\n\ufeff/],
    ['a program', `print("${TEXT.trim()}")\n`, 'text/plain', { commentSyntax: '#' }, /^# -----BEGIN C2PA/],
    ['an HTML document', PAGE, 'text/html', {}, /<script type="application\/c2pa">[^<]+<\/script><\/head>/],
    ['the end of an HTML document', PAGE, 'text/html', AT_END, /<\/html>\n\ufeff[^<]+$/],
    ['the end of front matter', `---\nby: Ann\n---\n${TEXT}`, 'text/plain', AT_END, /sts\.\n\ufeff[^<]+$/],
  ])('are written, read, verified and imported in %s', async (_, text, mimeType, more, form) => {
    const made = await embed(Buffer.from(text), {
      aiDisclosure: 'ai_generated',
      title: 'An article',
      ...more,
    });
    expect([made.status, made.body.mimeType, made.body.validation?.state]).toEqual([201, mimeType, 'valid']);
    const signed = await bytesOf(made.body.cid);
    expect(signed.toString()).toMatch(form);
    const { body: read } = await post('extract', { file: signed });
    expect(read).toMatchObject({
      mimeType,
      manifest: { title: 'An article', aiDisclosure: 'ai_generated' },
      validation: { state: 'valid' },
      aiDetection: { isAIGenerated: true },
      bundle: { cid: made.body.cid },
    });
    const { body: verified } = await post('verify', { file: signed });
    expect(verified).toMatchObject({ hasManifest: true, validation: { state: 'valid' } });
    const imported = await post('import', { file: signed });
    expect([imported.status, imported.body.cid]).toEqual([201, made.body.cid]);
    const changed = Buffer.from(signed.toString().replace('article of', 'Article of'));
    const { body: refused } = await post('verify', { file: changed });
    expect(refused).toMatchObject({ hasManifest: true, validation: { state: 'invalid' } });
    expect(refused.validation.summary).toBe('The file was altered after it was signed.');
    expect((await post('import', { file: changed })).status).toBe(422);
  });

  it('are returned by the label of their manifest, which a media thread finds in the text', async () => {
    const { manifest, cid } = (await embed(Buffer.from(PAGE), { title: 'By label' })).body;
    const countSearches = async () => {
      const metrics = await (await fetch(`${service.base}/metrics`)).text();
      return Number(/media_passes_total\{[^}]*"find"\} (\d+)/.exec(metrics)?.[1] ?? 0);
    };
    const before = await countSearches();
    const answer = await service.send(`/v1/c2pa/manifests/${encodeURIComponent(manifest.label)}`);
    const store = Buffer.from(await answer.arrayBuffer());
    expect([answer.status, store.toString('latin1', 4, 8)]).toEqual([200, 'jumb']);
    expect((await bytesOf(cid)).toString()).toContain(store.toString('base64'));
    expect(await countSearches()).toBe(before + 1);
  });

  it('keep the history of a text that is signed twice', async () => {
    const first = (await embed(Buffer.from(TEXT), { title: 'First' })).body;
    const signed = await bytesOf(first.cid);
    const second = (await embed(signed, { title: 'Second', aiDisclosure: 'ai_assisted' })).body;
    const { body } = await post('extract', { file: await bytesOf(second.cid) });
    expect(body.manifest).toMatchObject({
      title: 'Second',
      ingredients: [{ relationship: 'parentOf', manifest: { title: 'First' } }],
    });
    const found = await service.send(`/v1/c2pa/manifests/${second.manifest.label}`);
    expect(found.status).toBe(200);
    const store = Buffer.from(await found.arrayBuffer());
    for (const { manifest } of [first, second]) expect(store.includes(manifest.label)).toBe(true);
  });

  it('are rejected when a request has a comment syntax for a file that is not plain text', async () => {
    for (const file of [Buffer.from(PAGE), (files[0] as MediaFile).bytes]) {
      const { status, body } = await embed(file, { commentSyntax: '#' });
      expect([status, body.error.details[0].path]).toEqual([422, 'commentSyntax']);
    }
    expect((await embed(Buffer.from(TEXT), { commentSyntax: '!' })).status).toBe(422);
  });

  it.each([
    ['an SVG picture', toSvg([]), {}, /is for plain text and HTML, but the file is image\/svg\+xml/],
    ['JSON', Buffer.from('{"a": 1}'), {}, /is JSON/],
    ['a comment syntax', Buffer.from(TEXT), { commentSyntax: '#' }, /Send either commentSyntax or textForm/],
  ])('are rejected in the form `unstructured` for %s', async (_, file, more, message) => {
    const { status, body } = await embed(file, { ...AT_END, ...more });
    expect([status, JSON.stringify(body.error)]).toEqual([422, expect.stringMatching(message)]);
  });

  it('are rejected for a text in UTF-16, and the error states the remedy', async () => {
    const { status, body } = await embed(Buffer.from(`\ufeff${TEXT}`, 'utf16le'));
    expect([status, body.error.message]).toEqual([422, expect.stringContaining('UTF-8')]);
  });
});

describe('an SVG picture', () => {
  it('with scripts and nested entities is signed, expands nothing, and is sent as a sandboxed attachment', async () => {
    const { status, body } = await embed(Buffer.from(BOMB));
    expect([status, body.mimeType, body.validation?.state]).toEqual([201, 'image/svg+xml', 'valid']);
    expect(body.size).toBeLessThan(20_000);
    const { headers } = await service.send(`/v1/resource/${body.cid}/content`);
    expect(headers.get('content-disposition')).toMatch(/^attachment/);
    expect(headers.get('content-security-policy')).toContain('sandbox');
  });

  it('is found again without its metadata and with reordered attributes, and no other picture is found', async () => {
    const draw = (seed: number) =>
      Array.from(
        { length: 30 },
        (_, at) => `<circle cx="${(at * seed) % 97}" cy="${(at * at * seed) % 89}"/>`,
      );
    const { body } = await embed(toSvg(draw(31)));
    const signed = (await bytesOf(body.cid)).toString();
    const plain = signed
      .replace(/<metadata>.*<\/metadata>/, '')
      .replace(/ xmlns:c2pa="[^"]*"/, '')
      .replace(/<circle (\S+) (\S+)\/>/g, '<circle $2 $1/>\n');
    const search = async (file: Buffer) => {
      const sent = { method: 'POST', body: mediaForm({ file }) };
      return (await service.send('/v1/search/file', sent)).json();
    };
    const match = { cid: body.cid, score: 1, method: 'svg-512/1', type: 'image' };
    await expect.poll(() => search(Buffer.from(plain))).toEqual({ verdict: 'auto', matches: [match] });
    expect(await search(toSvg(draw(53)))).toEqual({ verdict: 'no-match', matches: [] });
  });

  it('gets no thumbnail, because the service does not render SVG', async () => {
    const { body } = await embed((files.find(({ name }) => name === 'SVG') as MediaFile).bytes);
    const { body: read } = await post('extract', { file: await bytesOf(body.cid) });
    expect(JSON.stringify(read.manifest)).not.toContain('c2pa.thumbnail');
    expect(read.bundle.resources).toHaveLength(1);
  });
});

describe('each format of the table', () => {
  it('is listed, and the formats of `makeMoreFiles` are signed and read through the routes', async () => {
    const { formats } = await (await service.send('/v1/media/formats')).json();
    expect(formats.map(({ name }: { name: string }) => name)).toEqual(files.map(({ name }) => name));
    for (const { name, bytes } of files.slice(11)) {
      const { status, body } = await embed(bytes);
      expect([name, status, body.validation?.state]).toEqual([name, 201, 'valid']);
      const { body: read } = await post('extract', { file: await bytesOf(body.cid) });
      expect([name, read.validation?.state]).toEqual([name, 'valid']);
    }
  });
});
