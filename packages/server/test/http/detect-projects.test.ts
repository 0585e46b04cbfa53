import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { createDetectorClient, textOf } from '../support/detector-client.js';
import { intercept } from '../support/intercept.js';
import { type MediaFile, makeMediaFiles } from '../support/media-files.js';
import { allowDetection } from '../support/media-form.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';

const files = await makeMediaFiles();
const SOON = { timeout: 30_000 };
const jpeg = files.find(({ mediaType }) => mediaType === 'image/jpeg') as MediaFile;
const environment = { PUBLIC_DETECTOR: 'true', PUBLIC_DETECTOR_RPM: '100000' };

describe('the public detector', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE, { environment });
    await allowDetection(service);
  });
  afterAll(() => service.stop());

  const { detect, record, publish } = createDetectorClient(() => service);
  const recordIn = async (headers: Record<string, string>, text: string): Promise<string> => {
    const entity = { id: 'studio:ann', role: 'human' };
    await service.send('/v1/entity', jsonPost(entity, headers));
    return (await (await service.upload(text, { entity }, headers)).json()).cid;
  };
  const makeProject = async (name: string) => {
    const ask = async (path: string, body: unknown) => (await service.manage('ann', path, { body })).json();
    await ask('/orgs', { name: 'Daily Planet', slug: 'planet' });
    const { id } = await ask('/projects', { orgSlug: 'planet', name });
    const { key } = await ask('/api-keys', { projectId: id, name: 'writer', permissions: 'write' });
    const allow = async (publicDetector: boolean) => {
      const body = { publicDetector };
      const answer = await service.manage('ann', `/projects/${id}`, { method: 'PUT', body });
      expect(await answer.json()).toMatchObject(body);
    };
    return { headers: { authorization: `Bearer ${key}` }, allow };
  };

  /** Each project has a publication of `cid`. */
  const addPublishers = async (name: string, { count, cid }: { count: number; cid: string }) => {
    const { control } = service.context.databases;
    await control.query(
      `insert into control.project (id, org_id, name, slug, public_detector)
         select gen_random_uuid(), org_id, $2, lower($2) || '-' || n, true
         from control.project, generate_series(1, $3) n where id = $1`,
      [namedProjectId('one'), name, count],
    );
    await control.query(
      `insert into control.publication (project_id, id, cid, withhold, hidden_entities, pseudonym_key)
         select id, id::text, $1, '[]', '[]', 'key' from control.project where name = $2`,
      [cid, name],
    );
  };

  it('finds publications only of projects with the setting `publicDetector`', async () => {
    const { headers, allow } = await makeProject('Links for few');
    const text = textOf('a link for few people');
    const id = await publish(await recordIn(headers, text), {}, headers);
    const altered = text.replace('heron', 'egret');
    const idsOf = async (file: string) => (await detect(file)).layers.map((layer) => layer.publication?.id);
    expect([await idsOf(text), await idsOf(altered)]).toEqual([[], []]);
    await allow(true);
    await expect.poll(() => idsOf(altered), SOON).toEqual([id]);
    expect(await idsOf(text)).toEqual([id, id]);
    await allow(false);
    expect([await idsOf(text), await idsOf(altered)]).toEqual([[], []]);
  });

  it('shows only the earliest publication of each project, so no project displaces those of others', async () => {
    const { headers, allow } = await makeProject('Another publisher');
    await allow(true);
    const text = 'Two newspapers print one poem about winter. '.repeat(6);
    const own = await recordIn({}, text);
    const other = await recordIn(headers, text);
    const ids = [await publish(other, {}, headers), await publish(own)];
    for (const _ of Array(5)) await publish(own);
    const idsOf = async (kind: string) => {
      const layers = (await detect(text)).layers.filter((layer) => layer.kind === kind);
      return layers.map(({ publication }) => publication?.id);
    };
    await expect.poll(async () => (await idsOf('fingerprint')).toSorted(), SOON).toEqual(ids.toSorted());
    expect(await idsOf('log')).toEqual(ids);
  });

  it('shows organisations in turn, so five projects of one organisation displace no other publication', async () => {
    const text = 'Six projects publish one poem about spring. '.repeat(6);
    for (const place of [1, 2, 3, 4, 5]) {
      const { headers, allow } = await makeProject(`Project ${place}`);
      await allow(true);
      await publish(await recordIn(headers, text), {}, headers);
    }
    const own = await publish(await recordIn({}, text));
    const idsOf = async (kind: string) => {
      const layers = (await detect(text)).layers.filter((layer) => layer.kind === kind);
      return layers.map(({ publication }) => publication?.id);
    };
    await expect.poll(() => idsOf('fingerprint'), SOON).toContain(own);
    const ids = await idsOf('log');
    expect([ids.length, ids.indexOf(own)]).toEqual([5, 1]);
  });

  it('does not call a published file altered, even if the log shows five other publications', async () => {
    const text = 'Harvest songs ripen slowly beneath one copper moon tonight. '.repeat(6);
    const publishers = [];
    for (const place of [1, 2, 3, 4, 5]) {
      const { headers, allow } = await makeProject(`Exact ${place}`);
      await allow(true);
      publishers.push({ headers, cid: await recordIn(headers, text) });
    }
    // The layer `log` shows the earliest publications first. The fingerprint layer shows the publications of the oldest
    // projects first.
    const ids = [];
    for (const { headers, cid } of publishers.toReversed()) ids.push(await publish(cid, {}, headers));
    await publish(await recordIn({}, text));
    const layersOf = async (kind: string) =>
      (await detect(text)).layers.filter((layer) => layer.kind === kind);
    const idsOf = async (kind: string) => (await layersOf(kind)).map(({ publication }) => publication?.id);
    const last = ids.at(-1);
    await expect.poll(() => idsOf('fingerprint'), SOON).toContain(last);
    expect(await idsOf('log')).not.toContain(last);
    const found = (await layersOf('fingerprint')).find(({ publication }) => publication?.id === last);
    expect(found).toMatchObject({
      code: 'exact-unstated',
      says: expect.stringMatching(/^The fingerprint of the file leads to published content/),
      meaning: 'The file has exactly the published bytes.',
    });
  });

  it('reads the hidden entities of a publication only if it shows this publication', async () => {
    const { control } = service.context.databases;
    const text = textOf('hidden entities in many projects');
    const cid = await record(text);
    await publish(cid);
    await addPublishers('Hidden', { count: 9, cid });
    const seen = intercept(control, /control\.publication b/, (run) => run());
    try {
      const { layers } = await detect(text);
      expect(layers.length).toBeGreaterThan(0);
    } finally {
      vi.restoreAllMocks();
      await control.query(`delete from control.publication where id = project_id::text`);
      await control.query(`delete from control.project where name = 'Hidden'`);
    }
    const reads = seen.filter((statement) => statement.includes('hidden_entities'));
    // Each of two checks shows up to five publications.
    expect(reads.length).toBeGreaterThan(0);
    expect(reads.length).toBeLessThanOrEqual(10);
    expect(seen.length).toBeGreaterThan(reads.length);
    for (const statement of reads) expect(statement).toContain('b.id = $1');
  });

  it('reports that it searched only some of many projects', async () => {
    const ofLayer = async () => (await detect(jpeg.bytes)).checks.find(({ kind }) => kind === 'fingerprint');
    expect(await ofLayer()).toEqual({ kind: 'fingerprint', state: 'checked' });
    await addPublishers('Many', { count: 100, cid: 'none' });
    expect(await ofLayer()).toMatchObject({
      state: 'checked',
      reason: expect.stringContaining('only 100 of the projects'),
      code: 'someProjects',
    });
  });
});
