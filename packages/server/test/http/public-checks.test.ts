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
    service = await startService(ANY_ENGINE);
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
  /**
   * Returns the identifier of the content by its SHA-256. The tests look up each content only once, because the service
   * caches answers for a moment.
   */
  const sha256Of = async (content: string) => {
    const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(content));
    return `sha256:${Buffer.from(bytes).toString('hex')}`;
  };

  it('are off until a project allows them: until then its content is as unknown as content that never existed', async () => {
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

  it('show nothing of a project that does not allow them', async () => {
    await record('of another project', { entity: { role: 'human', name: 'Bo' } }, KEY);
    expect((await check(await sha256Of('of another project'))).known).toBe(false);
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

describe('requests without a key', () => {
  it('are limited by the address of the caller, separately from keys', async () => {
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
