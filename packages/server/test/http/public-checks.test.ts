import type { PublicCheck } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANY_ENGINE, jsonPost, KEY, type Service, startService, toForm } from '../support/service.js';

const UNKNOWN = `sha256:${'0'.repeat(64)}`;
const NAME = 'Annabel Quillfeather';

describe('public checks', () => {
  let service: Service;
  let key: string;
  let projectId: string;
  let cid: string;

  beforeAll(async () => {
    service = await startService(ANY_ENGINE, { environment: { PUBLIC_DETECTOR: 'true' } });
    const ask = async (path: string, body: unknown) => (await service.manage('ann', path, { body })).json();
    await ask('/orgs', { name: 'Daily Planet', slug: 'planet' });
    projectId = (await ask('/projects', { orgSlug: 'planet', name: 'Front page' })).id;
    key = (await ask('/api-keys', { projectId, name: 'writer', permissions: 'write' })).key;
    const entity = { id: 'studio:quill', role: 'human', name: NAME, wallet: '0x01' };
    const action = { type: 'generate', aiTool: { provider: 'Acme', model: 'painter' } };
    cid = (await record('a picture', { entity, action, attribution: { note: 'for mother' } }, key)).cid;
  });
  afterAll(() => service.stop());

  const record = async (content: string, json: object, as: string) => {
    const headers = { authorization: `Bearer ${as}` };
    return (
      await service.send('/v1/activity', { method: 'POST', body: toForm(content, json), headers })
    ).json();
  };
  const check = async (asked: string) => {
    const answer = await fetch(`${service.base}/app/api/public/check?cid=${asked}`);
    expect(answer.status).toBe(200);
    return { text: await answer.clone().text(), ...((await answer.json()) as PublicCheck) };
  };
  const allow = (publicChecks: boolean) =>
    service.manage('ann', `/projects/${projectId}`, { method: 'PUT', body: { publicChecks } });
  /** The service caches answers, so the tests look up each content only once. */
  const sha256Of = async (content: string) => {
    const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(content));
    return `sha256:${Buffer.from(bytes).toString('hex')}`;
  };

  it('answer for content of a project as for unknown content, until the project allows checks', async () => {
    const [own, never] = [await check(await sha256Of('a picture')), await check(UNKNOWN)];
    expect(own).toMatchObject({ known: false, matches: [] });
    expect(own.text.replace(own.cid, '')).toBe(never.text.replace(never.cid, ''));
  });

  it('show the use of AI and the roles of makers if the project allows checks, but no name and no note', async () => {
    expect((await allow(true)).status).toBe(200);
    await record('a second picture', { entity: { id: 'studio:quill', role: 'human' } }, key);
    const { known, matches, text } = await check(await sha256Of('a second picture'));
    expect([known, matches]).toEqual([
      true,
      [expect.objectContaining({ ai: 'unstated', makers: [{ role: 'human' }], tools: [], steps: 1 })],
    ]);
    for (const word of [NAME, 'studio:quill', '0x01', 'for mother', projectId])
      expect(text).not.toContain(word);
  });

  it('stay short for long names of AI tools', async () => {
    expect((await allow(true)).status).toBe(200);
    const ai = { provider: 'Acme', model: '&'.repeat(40_000) };
    const action = { type: 'generate', extensions: { 'ext:ai@1.0.0': ai } };
    await record('by a long tool', { entity: { id: 'studio:quill', role: 'human' }, action }, key);
    const { matches, text } = await check(await sha256Of('by a long tool'));
    expect(matches[0]?.tools).toEqual([`Acme ${'&'.repeat(255)}…`]);
    expect(text.length).toBeLessThan(2_000);
  });

  it('show nothing of a project that does not allow them', async () => {
    await record('of another project', { entity: { role: 'human', name: 'Bo' } }, KEY);
    expect((await check(await sha256Of('of another project'))).known).toBe(false);
  });

  it('link to a publication of the content only if the project also permits the detector', async () => {
    const permit = (publicDetector: boolean) =>
      service.manage('ann', `/projects/${projectId}`, { method: 'PUT', body: { publicDetector } });
    const publish = async (content: string, title = `About ${content}`) => {
      const { cid: own } = await record(content, { entity: { role: 'human' } }, key);
      const body = jsonPost({ cid: own, title }, { authorization: `Bearer ${key}` });
      return { own, ...(await (await service.send('/v1/publications', body)).json()) };
    };
    const [closed, open] = [await publish('a closed picture'), await publish('an open picture')];
    expect((await check(closed.own)).publications).toEqual([]);
    expect((await permit(true)).status).toBe(200);
    expect((await check(open.own)).publications).toEqual([
      { path: open.path, title: 'About an open picture' },
    ]);
    // The SHA-256 of a content of several chunks is an alias.
    const large = 'a'.repeat(2 ** 20 + 5);
    const { path, own: root } = await publish(large, 'A large picture');
    const byAlias = await check(await sha256Of(large));
    expect(byAlias.cid).not.toBe(root);
    expect(byAlias.publications).toEqual([{ path, title: 'A large picture' }]);
    const { own } = await publish('a revoked picture');
    const { publications } = await (
      await service.send('/v1/publications', { headers: { authorization: `Bearer ${key}` } })
    ).json();
    const { id } = publications.find(({ cid: of }: { cid: string }) => of === own);
    const headers = { authorization: `Bearer ${key}` };
    await service.send(`/v1/publications/${id}`, { method: 'DELETE', headers });
    expect((await check(own)).publications).toEqual([]);
  });

  it('return nothing after their project is deleted, and its publications are 404', async () => {
    const body = jsonPost({ cid }, { authorization: `Bearer ${key}` });
    const { id } = await (await service.send('/v1/publications', body)).json();
    const read = () => fetch(`${service.base}/app/api/public/${id}`);
    expect((await read()).status).toBe(200);
    await record('a third picture', { entity: { id: 'studio:quill', role: 'human' } }, key);
    await service.manage('ann', `/projects/${projectId}`, { method: 'DELETE' });
    expect((await read()).status).toBe(404);
    expect((await check(await sha256Of('a third picture'))).known).toBe(false);
  });
});

describe('public checks of many projects', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
  });
  afterAll(() => service.stop());

  const ask = async (path: string, body: object, method = 'POST') =>
    (await service.manage('ann', path, { body, method })).json();
  const addOrg = (slug: string) => ask('/orgs', { name: slug, slug });
  /** `record` uploads a content with a key of this project. */
  async function addProject(orgSlug: string, name: string) {
    const { id } = await ask('/projects', { orgSlug, name });
    await ask(`/projects/${id}`, { publicChecks: true }, 'PUT');
    const { key } = await ask('/api-keys', { projectId: id, name: 'writer', permissions: 'write' });
    const headers = { authorization: `Bearer ${key}` };
    const record = async (content: string, json: object): Promise<string> =>
      (await service.send('/v1/activity', { method: 'POST', body: toForm(content, json), headers }))
        .json()
        .then(({ cid }) => cid);
    return { id, record };
  }
  const entity = (role: string) => ({ id: `${role}:one`, role });
  const makersOf = async (cid: string) => {
    const answer = await fetch(`${service.base}/app/api/public/check?cid=${cid}`);
    expect(answer.status).toBe(200);
    const { matches } = (await answer.json()) as PublicCheck;
    return matches.map(({ makers }) => makers.map(({ role }) => role).join());
  };

  it('show the maker of a content before projects that only used it', async () => {
    await addOrg('users');
    const bytes = new TextEncoder().encode('made elsewhere');
    const digest = await crypto.subtle.digest('SHA-256', bytes);
    const inputCids = [`sha256:${Buffer.from(digest).toString('hex')}`];
    for (let count = 0; count < 5; count++) {
      const user = await addProject('users', `User ${count}`);
      await user.record(`derived ${count}`, {
        entity: entity('human'),
        action: { type: 'transform', inputCids },
      });
    }
    const maker = await addProject('users', 'Maker');
    const cid = await maker.record('made elsewhere', { entity: entity('organization') });
    const makers = await makersOf(cid);
    expect(makers).toHaveLength(5);
    expect(makers[0]).toBe('organization');
  });

  it('skip a project without a free slot if another project has the content; otherwise, wait for a slot', async () => {
    await addOrg('busy');
    await addOrg('free');
    const { control } = service.context.databases;
    await control.query("update control.org set created_by = 'bob' where slug = 'free'");
    const busy = await addProject('busy', 'Busy');
    const free = await addProject('free', 'Free');
    const [shared, own] = await Promise.all([
      busy.record('shared', { entity: entity('human') }),
      busy.record('own', { entity: entity('human') }),
    ]);
    await free.record('shared', { entity: entity('organization') });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { scheduler } = service.context.records;
    const readers = { projectId: `public:${busy.id}`, kind: 'history' } as const;
    const held = [scheduler.run(readers, () => released)];
    while (scheduler.counts().history.running === held.length)
      held.push(scheduler.run(readers, () => released));
    expect(await makersOf(shared)).toEqual(['organization']);
    const alone = makersOf(own);
    release();
    await Promise.all(held);
    expect(await alone).toEqual(['human']);
  });

  it('ask one project of each owner first, so 1,000 older projects of one user do not hide those of another', async () => {
    await addOrg('many');
    await addOrg('one');
    const { control } = service.context.databases;
    await control.query("update control.org set created_by = 'maker' where slug = 'many'");
    await control.query(
      `insert into control.project (id, name, slug, org_id, public_checks, created_at)
       select gen_random_uuid(), 'p' || n, 'p' || n, org.id, true, now() - interval '1 year'
       from control.org, generate_series(1, 1000) n where org.slug = $1`,
      ['many'],
    );
    const last = await addProject('one', 'Last');
    const cid = await last.record('hidden', { entity: entity('human') });
    expect(await makersOf(cid)).toEqual(['human']);
  });
});

describe('requests without a key', () => {
  it('are limited by the address of the caller, separately from requests with a key', async () => {
    const environment = { RATE_LIMIT_RPM: '3', RATE_LIMIT_BURST: '0' };
    const service = await startService(ANY_ENGINE, { environment });
    const ask = () => fetch(`${service.base}/app/api/public/check?cid=${UNKNOWN}`);
    const statuses = [];
    for (let count = 0; count < 4; count++) statuses.push((await ask()).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await ask()).headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await service.send('/v1/entities')).status).toBe(200);
    await service.stop();
  });
});
