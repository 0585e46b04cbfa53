import {
  type ComplianceReport,
  complianceReportSchema,
  markedPageSchema,
  robustnessOfMethods,
  WITHOUT_AI,
} from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { countRecords } from '../../src/records/compliance/count-records.js';
import {
  AUDIO_METHOD,
  IMAGE_METHOD,
  SVG_METHOD,
  TEXT_METHOD,
  VIDEO_METHOD,
} from '../../src/search/descriptor.js';
import { IMAGE_MARK_METHOD } from '../../src/search/image-mark.js';
import { SOUND_MARK_METHOD } from '../../src/search/sound-mark.js';
import { type MediaFile, makeMediaFiles } from '../support/media-files.js';
import { allowDetection, createMediaClient, mediaForm, SAID } from '../support/media-form.js';
import { ANY_ENGINE, jsonPost, OTHER_KEY, type Service, startService } from '../support/service.js';
import { texturedPicture } from '../support/textured-picture.js';

/** A loaded machine can take long to start the engine. */
const SOON = { timeout: 30_000 };
const files = await makeMediaFiles();
const jpeg = files.find(({ mediaType }) => mediaType === 'image/jpeg') as MediaFile;
const AI = { ...SAID, aiDisclosure: 'ai_generated' };
const TEXT = Buffer.from('The heron stands in the shallow water and waits for a fish to pass. '.repeat(4));
const NO_MEDIA = (seed: number) => Buffer.from([0, 1, 2, 3, seed]);
const AI_MARK = { aiDisclosure: 'ai_generated', generator: { name: 'a tool' } };
const cidOf = (n: number) => `sha256:${n.toString(16).padStart(64, '0')}`;
const OTHER = { authorization: `Bearer ${OTHER_KEY}` };
const NAME = 'Annabel Quillfeather';
const environment = { PUBLIC_DETECTOR: 'true', PUBLIC_DETECTOR_RPM: '100000' };

describe('a compliance report', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE, { environment });
    await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human', name: NAME }));
    await service.send('/v1/entity', jsonPost({ id: 'studio:bot', role: 'human' }, OTHER));
    await allowDetection(service);
  });
  afterAll(() => service.stop());

  const { embed } = createMediaClient(() => service);
  const mark = async (file: Uint8Array, json: object = AI, headers: Record<string, string> = {}) => {
    const answer = await service.send('/v1/mark', {
      method: 'POST',
      body: mediaForm({ file, json }),
      headers,
    });
    const body = await answer.json();
    expect(answer.status, JSON.stringify(body)).toBe(201);
    return body as { cid: string; actionId: string };
  };
  const ask = (query = '', headers: Record<string, string> = {}) =>
    service.send(`/v1/compliance/report${query}`, { headers });
  const read = async (query = ''): Promise<ComplianceReport> => {
    const answer = await ask(query);
    expect(answer.status).toBe(200);
    return answer.json();
  };

  it('of a project without marks has zeros, and fits its schema', async () => {
    const report = await read();
    expect(complianceReportSchema.parse(report)).toEqual(report);
    expect(report.marks).toEqual({
      ...{ total: 0, complete: true, byType: [], byDisclosure: [], byLayer: [] },
      newest: { contents: [], count: 0, nextCursor: null },
    });
    expect(report).toMatchObject({
      projectId: namedProjectId('one'),
      project: { name: 'one', orgName: 'Local' },
      version: service.config.version,
      unmarked: { aiActions: 0, aiManifests: 0, newest: [] },
      detections: { detector: true, byLayer: [] },
      log: { anchor: null, timestamp: null },
    });
    expect(Date.parse(report.period.to) - Date.parse(report.period.from)).toBe(30 * 86_400_000);
  });

  it('counts marks by kind of content, disclosure and layer, and counts unmarked AI content separately', async () => {
    const picture = await mark(await (await texturedPicture(7)).jpeg().toBuffer());
    await mark(TEXT, { ...AI, aiDisclosure: 'ai_assisted', aiTool: { provider: 'Acme', model: 'writer' } });
    await mark(NO_MEDIA(1), { ...SAID, aiDisclosure: null });
    const signed = await embed(jpeg.bytes, { aiDisclosure: 'ai_generated', title: 'Without a mark' });
    const action = { aiTool: { provider: 'Acme', model: 'writer' } };
    const written = await service.upload('a text with a tool', {
      entity: { id: 'studio:ann', role: 'human' },
      action,
    });
    await mark(NO_MEDIA(2), { ...AI, entityId: 'studio:bot' }, OTHER);
    await expect
      .poll(async () => (await read()).marks.byLayer, SOON)
      .toEqual([
        { kind: 'manifest', state: 'added', method: 'c2pa', count: 2 },
        { kind: 'manifest', state: 'unavailable', method: null, count: 1 },
        { kind: 'fingerprint', state: 'added', method: 'image-512/1', count: 1 },
        { kind: 'fingerprint', state: 'added', method: 'text-512/1', count: 1 },
        { kind: 'fingerprint', state: 'unavailable', method: null, count: 1 },
        { kind: 'log', state: 'added', method: 'rfc6962', count: 3 },
        { kind: 'watermark', state: 'added', method: 'image-mark/1', count: 1 },
        { kind: 'watermark', state: 'unavailable', method: null, count: 2 },
      ]);
    const { marks, unmarked } = await read();
    expect(marks).toMatchObject({ total: 3, complete: true });
    expect(marks.byType.map(({ type, count }) => [type, count])).toEqual([
      ['image', 1],
      ['other', 1],
      ['text', 1],
    ]);
    expect(marks.byDisclosure).toEqual([
      { aiDisclosure: 'ai_assisted', level: 'assisted', count: 1 },
      { aiDisclosure: 'ai_generated', level: 'generated', count: 1 },
      { aiDisclosure: null, level: 'human', count: 1 },
    ]);
    expect(unmarked).toMatchObject({ aiActions: 1, aiManifests: 1 });
    expect(unmarked.newest.map(({ cid, actionId }) => ({ cid, actionId }))).toEqual(
      [await written.json(), signed.body].map(({ cid, actionId }) => ({ cid, actionId })),
    );
    expect(unmarked.newest[1]).toMatchObject({ performedBy: 'studio:ann', mimeType: 'image/jpeg' });
    expect(marks.newest.contents.at(-1)).toMatchObject({
      ...{ cid: picture.cid, actionId: picture.actionId, performedBy: 'studio:ann', type: 'image' },
      layers: ['manifest', 'fingerprint', 'log', 'watermark'].map((kind) => ({ kind, state: 'added' })),
    });
  });

  it('does not count the statement “no AI was used” as a mark, even for AI content', async () => {
    const before = await read();
    const entity = { id: 'studio:ann', role: 'human' };
    const extensions = { 'ext:mark@1.0.0': WITHOUT_AI };
    await service.upload('a text of a person', { entity, action: { extensions } });
    const aiTool = { provider: 'Acme', model: 'writer' };
    await service.upload('a text of a tool', { entity, action: { aiTool, extensions } });
    const { bytes } = [...files].find(({ mediaType }) => mediaType === 'image/png') as MediaFile;
    const signed = await embed(bytes, { aiDisclosure: 'ai_generated', extensions });
    expect(signed.status, JSON.stringify(signed.body)).toBe(201);
    const { marks, unmarked } = await read();
    expect(marks.total).toBe(before.marks.total);
    expect(unmarked.newest).toHaveLength(before.unmarked.newest.length + 2);
    expect(unmarked).toMatchObject({
      aiActions: before.unmarked.aiActions + 1,
      aiManifests: before.unmarked.aiManifests + 1,
    });
  });

  it('names each content with the receipt of its mark, and contains no name of a person', async () => {
    const answer = await ask();
    const text = await answer.text();
    expect(text).not.toContain(NAME);
    const { marks, log } = JSON.parse(text) as ComplianceReport;
    for (const { receiptUrl, actionId } of marks.newest.contents) {
      const receipt = await (await service.send(receiptUrl)).json();
      expect(receipt.record.body.id).toBe(actionId);
      expect(receipt.record.body.extensions).toHaveProperty(['ext:mark@1.0.0']);
    }
    expect(log?.sizes.atStart).toBe(0);
    expect(log?.checkpoint).toContain(`${log?.origin}\n${log?.sizes.atEnd}\n`);
    expect(await (await service.send('/v1/log')).json()).toMatchObject({
      publicKey: log?.publicKey,
      verifierKey: log?.verifierKey,
    });
  });

  it('covers a half-open period: an instant belongs to the period that begins with it', async () => {
    const { contents } = (await read()).marks.newest;
    const at = contents[1]?.recordedAt ?? '';
    const later = (await read(`?from=${at}`)).marks.total;
    const earlier = (await read(`?to=${at}`)).marks.total;
    expect([later, earlier]).toEqual([2, 1]);
    const day = at.slice(0, 10);
    expect((await read(`?from=${day}`)).period.from).toBe(`${day}T00:00:00.000Z`);
  });

  it('lists all marked contents in pages, newest first, also with the cursor of a longer period', async () => {
    const list = async (query: string) => {
      const answer = await service.send(`/v1/compliance/marks${query}`);
      return markedPageSchema.parse(await answer.json());
    };
    const whole = await list('');
    expect(whole).toMatchObject({ count: 3, nextCursor: null });
    const first = await list('?limit=1');
    const second = await list(`?limit=1&cursor=${first.nextCursor}`);
    const third = await list(`?limit=1&cursor=${second.nextCursor}`);
    const cids = [first, second, third].flatMap(({ contents }) => contents.map(({ cid }) => cid));
    expect(cids).toEqual(whole.contents.map(({ cid }) => cid));
    expect(third.nextCursor).toBeNull();
    const oldest = whole.contents[2]?.recordedAt ?? '';
    const beyond = await list(`?to=${oldest}&cursor=${first.nextCursor}`);
    expect(beyond.contents).toEqual([]);
    const { marks } = await read('?limit=2');
    expect([marks.total, marks.newest.count]).toEqual([3, 2]);
    expect((await list(`?cursor=${marks.newest.nextCursor}`)).contents).toEqual(whole.contents.slice(2));
  });

  it.each([
    ['?from=yesterday', 'from'],
    ['?from=2026-02-30', 'from'],
    ['?from=2026-08-02&to=2026-08-02', 'from'],
    ['?from=2025-01-01&to=2026-08-02', 'from'],
    ['?limit=0', 'limit'],
    ['?until=2026-08-02', 'until'],
  ])('rejects %s, and names the member', async (query, member) => {
    for (const path of ['report', 'marks']) {
      const answer = await service.send(`/v1/compliance/${path}${query}`);
      const { error } = await answer.json();
      expect([answer.status, error.code]).toEqual([400, 'InvalidField']);
      expect(JSON.stringify(error)).toContain(member);
    }
    const other = Buffer.from(JSON.stringify(['actions', '2026-08-02T00:00:00.000000Z', 'x']));
    const answer = await service.send(`/v1/compliance/marks?cursor=${other.toString('base64url')}`);
    expect(answer.status).toBe(400);
  });

  it('counts the findings of the public detector for this project alone, by layer and confidence', async () => {
    const { cid } = await mark(NO_MEDIA(7));
    await service.send('/v1/publications', jsonPost({ cid }));
    const detect = () =>
      fetch(`${service.base}/public/detect`, { method: 'POST', body: mediaForm({ file: NO_MEDIA(7) }) });
    for (const _ of [1, 2]) expect((await detect()).status).toBe(200);
    const today = new Date().toISOString().slice(0, 10);
    const { detections } = await read();
    expect(detections).toMatchObject({
      countedSince: today,
      byLayer: [{ layer: 'log', confidence: 'high', findings: 2 }],
    });
    const past = await read('?from=2026-01-01&to=2026-01-03');
    expect(past.detections).toMatchObject({
      days: { first: '2026-01-01', last: '2026-01-02' },
      byLayer: [],
    });
    const others = (await (await ask('', OTHER)).json()) as ComplianceReport;
    expect([others.marks.total, others.detections.byLayer]).toEqual([1, []]);
  });

  it('shows the names of performers on the page, and says where to find other names', async () => {
    const html = await (await ask('', { accept: 'text/html' })).text();
    expect(html).toContain(`<br>marked by <strong>${NAME}</strong> (<code>studio:ann</code>)<br>receipt:`);
    expect(html).toContain(`<br>by <strong>${NAME}</strong> (<code>studio:ann</code>)<br>action:`);
    expect(html).not.toContain('A person or tool without a name');
    const other = await (await ask('', { ...OTHER, accept: 'text/html' })).text();
    expect(other).toMatch(/<br>marked by <code>studio:bot<.*A person or tool without a name/s);
  });

  it('counts in pages: no statement reads more rows than a page, and small pages give the same sums', async () => {
    const { records } = service.context;
    const read: number[] = [];
    const reads: typeof records.reads = {
      async query(text, parameters, signal) {
        const rows = await records.reads.query<{ read?: number }>(text, parameters, signal);
        read.push(...rows.flatMap((row) => row.read ?? []));
        return rows as never;
      },
    };
    const period = { from: '2026-01-01T00:00:00.000Z', to: new Date(Date.now() + 1_000).toISOString() };
    const count = (bounds?: { pageRows: number; maxRows: number }) =>
      countRecords({ ...records, reads }, namedProjectId('one'), {
        ...{ period, isSigned: true, signal: new AbortController().signal },
        ...(bounds && { bounds }),
      });
    const whole = await count();
    const { total } = whole.marks;
    expect(total).toBe(4);
    read.length = 0;
    expect(await count({ pageRows: 1, maxRows: 100 })).toEqual(whole);
    expect(Math.max(...read)).toBe(1);
    expect(read.filter((rows) => rows === 1).length).toBeGreaterThanOrEqual(total);
    const part = await count({ pageRows: 1, maxRows: 2 });
    expect(part.marks).toMatchObject({ total: 2, complete: false });
  });

  it('connects AI content without a mark to its marked copy, and counts such content separately', async () => {
    const before = (await read()).unmarked;
    expect(before).toMatchObject({ aiActionsWithCopy: 0, aiManifestsWithCopy: 0 });
    const entity = { id: 'studio:ann', role: 'human' };
    const action = { aiTool: { provider: 'Acme', model: 'writer' } };
    const original = Buffer.from('A poem of a tool, with a marked copy. '.repeat(3));
    const { cid } = await (await service.upload(original, { entity, action, title: 'poem' })).json();
    // An edit without a mark is no marked copy, and a collage with a mark is none either.
    const edit = { performedBy: 'studio:ann', type: 'transform', outputCids: [cidOf(1)] };
    expect((await service.send('/v1/action', jsonPost({ ...edit, inputCids: [cid] }))).status).toBe(201);
    const collage = { ...edit, outputCids: [cidOf(2)], extensions: { 'ext:mark@1.0.0': AI_MARK } };
    const inputCids = [cidOf(3), cid];
    expect((await service.send('/v1/action', jsonPost({ ...collage, inputCids }))).status).toBe(201);
    const without = (await read()).unmarked;
    expect(without).toMatchObject({ aiActions: before.aiActions + 1, aiActionsWithCopy: 0 });
    expect(without.newest[0]).toMatchObject({ cid, title: 'poem' });
    expect(without.newest[0]).not.toHaveProperty('markedCopy');
    const copy = await mark(original, { ...AI, title: 'poem-marked' });
    expect(copy.cid).not.toBe(cid);
    const { unmarked } = await read();
    expect(unmarked).toMatchObject({ aiActions: before.aiActions + 1, aiActionsWithCopy: 1 });
    const { cid: copyCid, actionId } = copy;
    expect(unmarked.newest[0]?.markedCopy).toMatchObject({ cid: copyCid, actionId });
    const signed = unmarked.newest.find(({ mimeType }) => mimeType === 'image/jpeg');
    const bytes = Buffer.from(
      await (await service.send(`/v1/resource/${signed?.cid}/content`)).arrayBuffer(),
    );
    await mark(bytes);
    expect((await read()).unmarked).toMatchObject({
      ...{ aiManifests: before.aiManifests, aiManifestsWithCopy: 1, aiActionsWithCopy: 1 },
    });
    const html = await (await ask('', { accept: 'text/html' })).text();
    expect(html).toMatch(/marked copy: (?:<strong>|<code>)/);
    expect(html).toContain('AI-edited (ai_assisted)');
  });
});

describe('the format of a report', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    await service.send('/v1/entity', jsonPost({ id: '<img src=x onerror=alert(1)>&"', role: 'human' }));
  });
  afterAll(() => service.stop());

  it('is HTML for callers who prefer HTML, without scripts and with all values escaped', async () => {
    const json = { ...AI, entityId: '<img src=x onerror=alert(1)>&"' };
    const body = mediaForm({ file: NO_MEDIA(1), json });
    expect((await service.send('/v1/mark', { method: 'POST', body })).status).toBe(201);
    const accept = 'text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8';
    const aiTool = { provider: 'Acme', model: 'writer' };
    const entity = { id: json.entityId, role: 'human' };
    const { cid } = await (await service.upload('without a mark', { entity, action: { aiTool } })).json();
    const title = 'Heron <b>at dawn</b>';
    const titled = await service.send(`/v1/resource/${cid}`, { ...jsonPost({ title }), method: 'PATCH' });
    expect(titled.status).toBe(200);
    const report: ComplianceReport = await (await service.send('/v1/compliance/report')).json();
    expect(complianceReportSchema.parse(report).unmarked.newest).toMatchObject([{ cid, title }]);
    expect(report.marks.newest.contents[0]).not.toHaveProperty('title');
    const answer = await service.send('/v1/compliance/report', { headers: { accept } });
    const html = await answer.text();
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(answer.headers.get('vary')).toContain('accept');
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;&amp;&quot;');
    expect(html).not.toMatch(/<(?:img|script|link|iframe)|\son\w+=["']/i);
    expect(html).toContain('1 content was marked in the period.');
    expect(html).toContain('<dt>Leaves up to the last action or attribution of the period</dt>');
    expect(html).toContain('The checkpoint counts all leaves.');
    expect(html).toContain(`<strong>one</strong>, organisation Local<br><code>${report.projectId}</code>`);
    expect(html).toContain('A label that people see is another duty: deployers must add it (Article 50(4)).');
    const [, unmarked = ''] = html.split('AI content without a mark');
    expect(unmarked).toContain(`<strong>Heron &lt;b&gt;at dawn&lt;/b&gt;</strong><br><code>${cid}</code>`);
    const [counted = '', sources] = unmarked.split('No line counts content whose AI is only in its sources');
    expect(sources).toBeDefined();
    expect(counted).toContain('To mark a content in these counts, open its history on the page (Explore)');
    expect(counted).toContain('and choose “Make a marked copy”');
    expect(counted).toMatch(/<code>POST [/]v1[/]mark<[/]code> or run <code>colophon mark<[/]code>/);
  });

  it('says for zero marks that this is not a violation, and ends with the robustness as an appendix', async () => {
    const headers = { accept: 'text/html' };
    const answer = await service.send('/v1/compliance/report?from=2026-01-01&to=2026-01-02', { headers });
    const html = await answer.text();
    expect(html).toContain('No content of this project was marked through this service in the period.');
    expect(html).toContain('This number alone is not a violation.');
    expect(html).not.toMatch(/0 contents|Newest marked contents|By layer/);
    const headings = [...html.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, heading]) => heading);
    expect(headings.slice(-3)).toEqual([
      'Transparency log',
      'Limits of this report',
      'Appendix: robustness of the methods of this version',
    ]);
  });

  it.each([undefined, '*/*', 'application/json', 'application/json, text/html'])(
    'is JSON with Accept %s',
    async (accept) => {
      const headers: Record<string, string> = accept === undefined ? {} : { accept };
      const answer = await service.send('/v1/compliance/report', { headers });
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    },
  );
});

it('a service without a key for its log reports no log, and the layer `log` as unavailable', async () => {
  const service = await startService('PostgreSQL', { environment: { NODE_ENV: 'production' } });
  await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human' }));
  await service.send('/v1/mark', { method: 'POST', body: mediaForm({ file: NO_MEDIA(1), json: AI }) });
  const report = (await (await service.send('/v1/compliance/report')).json()) as ComplianceReport;
  expect(report.log).toBeNull();
  expect(report.marks.byLayer).toContainEqual({ kind: 'log', state: 'unavailable', method: null, count: 1 });
  const html = await (
    await service.send('/v1/compliance/report', { headers: { accept: 'text/html' } })
  ).text();
  expect(html).toContain('The service has no key for its log.');
  await service.stop();
});

it('a report has the robustness of every method of this version', () => {
  const methods = robustnessOfMethods().map(({ method }) => method);
  const known = [IMAGE_MARK_METHOD, SOUND_MARK_METHOD, IMAGE_METHOD, AUDIO_METHOD, SVG_METHOD, TEXT_METHOD];
  known.push(VIDEO_METHOD);
  expect([...new Set(methods)].sort()).toEqual(known.sort());
});
