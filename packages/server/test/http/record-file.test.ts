import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JPEG, PNG } from '../support/media.js';
import {
  ANN_CREATES,
  ANY_ENGINE,
  jsonPost,
  OTHER_KEY,
  type Service,
  startService,
  toForm,
} from '../support/service.js';

describe('recording a file', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
  });
  afterAll(() => service.stop());

  it('201: records bytes, entity, action, resource and attribution, and serves them back', async () => {
    const answer = await service.upload(JPEG);
    expect(answer.status).toBe(201);
    const recorded = await answer.json();
    expect(recorded).toMatchObject({
      resourceType: 'image',
      mimeType: 'image/jpeg',
      size: JPEG.length,
      state: 'claimed',
      matches: [],
    });

    const bundle = await (await service.send(`/v1/bundle/${recorded.cid}`)).json();
    expect(bundle).toMatchObject({ cid: recorded.cid, complete: true });
    expect(bundle.entities).toEqual([
      { id: recorded.entityId, role: 'human', name: 'Ann', createdAt: expect.any(String) },
    ]);
    expect(bundle.actions).toEqual([
      expect.objectContaining({
        id: recorded.actionId,
        type: 'create',
        inputCids: [],
        outputCids: [recorded.cid],
        digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        recordedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      }),
    ]);
    expect(bundle.attributions).toEqual([
      expect.objectContaining({
        entityId: recorded.entityId,
        actionId: recorded.actionId,
        resourceCid: recorded.cid,
        role: 'creator',
      }),
    ]);
    expect(bundle.resources).toEqual([
      expect.objectContaining({ cid: recorded.cid, rootAction: recorded.actionId, state: 'claimed' }),
    ]);

    const content = await service.send(`/v1/resource/${recorded.cid}/content`);
    expect(content.headers.get('content-type')).toBe('image/jpeg');
    expect(content.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(Buffer.from(await content.arrayBuffer()).equals(JPEG)).toBe(true);
  });

  it('201: accepts the parts in either order, the json part also as a file, and an absent action', async () => {
    const form = new FormData();
    const json = JSON.stringify({ entity: { role: 'human', name: 'Ann' } });
    form.set('json', new Blob([json], { type: 'application/json' }), 'json');
    form.set('file', new Blob(['json first']), 'note.txt');
    const answer = await service.send('/v1/activity', { method: 'POST', body: form });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({ resourceType: 'text', mimeType: 'text/plain' });
  });

  it('201: detects the type from the bytes, not from the name or the declared type', async () => {
    const form = new FormData();
    form.set('file', new Blob([PNG], { type: 'video/mp4' }), '../../etc/passwd');
    form.set('json', JSON.stringify(ANN_CREATES));
    const answer = await service.send('/v1/activity', { method: 'POST', body: form });
    expect(await answer.json()).toMatchObject({ mimeType: 'image/png', resourceType: 'image' });
  });

  it('201: an action of type `reference` makes the submitter the source, and states no creator', async () => {
    const answer = await service.upload('found on the web', {
      entity: { role: 'human', name: 'Ann' },
      action: { type: 'reference' },
    });
    const { cid, state } = await answer.json();
    expect(state).toBe('referenced');
    const bundle = await (await service.send(`/v1/bundle/${cid}`)).json();
    expect(bundle.attributions[0].role).toBe('source');
    expect(bundle.resources[0].createdBy).toBeUndefined();
  });

  it('201: a zero-byte file is content like any other', async () => {
    const answer = await service.upload('');
    expect(answer.status).toBe(201);
    const { cid, size } = await answer.json();
    expect(size).toBe(0);
    const content = await service.send(`/v1/resource/${cid}/content`);
    expect(content.status).toBe(200);
    expect((await content.arrayBuffer()).byteLength).toBe(0);
  });

  it('409 Duplicate: the error for the same bytes has the first cid and action', async () => {
    const first = await (await service.upload('recorded once')).json();
    const again = await service.upload('recorded once', {
      entity: { role: 'ai', name: 'Somebody else' },
      action: { type: 'generate' },
    });
    expect(again.status).toBe(409);
    expect((await again.json()).error).toMatchObject({
      code: 'Duplicate',
      details: { cid: first.cid, similarity: 1, actionId: first.actionId, matches: [] },
    });
    const bundle = await (await service.send(`/v1/bundle/${first.cid}`)).json();
    expect(bundle.actions).toHaveLength(1);
    expect(bundle.entities).toHaveLength(1);
  });

  it('409 Duplicate with restored: the next upload restores bytes that the store lost', async () => {
    const { cid } = await (await service.upload('soon to be lost')).json();
    await service.loseBytes('soon to be lost');
    expect((await service.send(`/v1/resource/${cid}/content`)).status).toBe(503);
    const again = await service.upload('soon to be lost');
    expect(again.status).toBe(409);
    expect((await again.json()).error.details).toMatchObject({ cid, restored: true });
    expect(await (await service.send(`/v1/resource/${cid}/content`)).text()).toBe('soon to be lost');
  });

  it('200: the same request with the same action id is a replay; another request with it is 409 Conflict', async () => {
    const json = {
      entity: { role: 'human', name: 'Ann' },
      action: { id: '0198c0de-0000-7000-8000-00000000a001', type: 'create' },
    };
    const first = await service.upload('replayed', json);
    const again = await service.upload('replayed', json);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(await again.json()).toEqual(await first.json());
    const other = await service.upload('other bytes', json);
    expect(other.status).toBe(409);
    expect((await other.json()).error.code).toBe('Conflict');
  });

  it('200: a replay restores lost bytes', async () => {
    const json = {
      entity: { role: 'human', name: 'Ann' },
      action: { id: '0198c0de-0000-7000-8000-00000000a002', type: 'create' },
    };
    const { cid } = await (await service.upload('replayed and lost', json)).json();
    await service.loseBytes('replayed and lost');
    expect((await service.upload('replayed and lost', json)).status).toBe(200);
    expect(await (await service.send(`/v1/resource/${cid}/content`)).text()).toBe('replayed and lost');
  });

  it('409 Conflict: the error names the fields in which the entity differs, and nothing is recorded', async () => {
    await service.send('/v1/entity', jsonPost({ id: 'studio:bo', role: 'human', name: 'Bo' }));
    const answer = await service.upload('refused for its entity', {
      entity: { id: 'studio:bo', role: 'ai', name: 'Bo', wallet: '0xabc' },
    });
    expect(answer.status).toBe(409);
    expect((await answer.json()).error.details).toEqual({
      entityId: 'studio:bo',
      fields: ['role', 'wallet'],
    });
    const digest = createHash('sha256').update('refused for its entity').digest('hex');
    expect((await service.send(`/v1/resource/sha256:${digest}`)).status).toBe(404);
  });

  it('422 ValidationError: details name each problem; nothing is recorded and no bytes stay', async () => {
    const answer = await service.upload('never recorded', {
      entity: { role: 'robot', nmae: 'x' },
      action: { inputCids: ['nonsense'] },
      extra: 1,
    });
    expect(answer.status).toBe(422);
    const { error } = await answer.json();
    expect(error.details.map(({ path }: { path: string }) => path).sort()).toEqual([
      'action.inputCids.0',
      'entity.nmae',
      'entity.role',
      'extra',
    ]);
    const digest = createHash('sha256').update('never recorded').digest('hex');
    expect((await service.send(`/v1/resource/sha256:${digest}/content`)).status).toBe(404);
  });

  it.each([
    ['400 MissingField', 400, 'MissingField', (form: FormData) => form.delete('file')],
    ['400 MissingField', 400, 'MissingField', (form: FormData) => form.delete('json')],
    ['400 InvalidField', 400, 'InvalidField', (form: FormData) => form.set('json', '{')],
    ['400 InvalidField', 400, 'InvalidField', (form: FormData) => form.set('surprise', '1')],
    ['400 InvalidField', 400, 'InvalidField', (form: FormData) => form.set('file', 'not a file')],
    ['400 InvalidField', 400, 'InvalidField', (form: FormData) => form.append('json', '{}')],
    ['400 InvalidField', 400, 'InvalidField', (form: FormData) => form.append('file', new Blob(['2']), 'b')],
  ])('%s: an invalid form', async (_, status, code, spoil) => {
    const form = toForm('faulty form', ANN_CREATES);
    spoil(form);
    const answer = await service.send('/v1/activity', { method: 'POST', body: form });
    expect(answer.status).toBe(status);
    expect((await answer.json()).error.code).toBe(code);
  });

  it('404: another project sees neither records nor bytes, and may record the same content too', async () => {
    const mine = await (await service.upload('seen by one project only')).json();
    const headers = { authorization: `Bearer ${OTHER_KEY}` };
    for (const path of [
      `/v1/bundle/${mine.cid}`,
      `/v1/resource/${mine.cid}`,
      `/v1/resource/${mine.cid}/content`,
      `/v1/action/${mine.actionId}`,
      `/v1/entity/${mine.entityId}`,
    ]) {
      expect((await service.send(path, { headers })).status, path).toBe(404);
    }
    const theirs = await service.upload('seen by one project only', ANN_CREATES, headers);
    expect(theirs.status).toBe(201);
    const recorded = await theirs.json();
    expect(recorded.cid).toBe(mine.cid);
    expect(recorded.entityId).not.toBe(mine.entityId);
  });

  it('100 concurrent identical uploads: one 201, 99 times 409, one action and one resource', async () => {
    const content = `uploaded a hundred times at once`;
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const json = { entity: { role: 'human', name: `Uploader ${index % 7}` } };
        const answer = await service.upload(content, json);
        return { status: answer.status, body: await answer.json() };
      }),
    );
    const recorded = answers.filter(({ status }) => status === 201);
    expect(recorded).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(99);
    const { cid, actionId } = recorded[0]?.body ?? {};
    for (const { status, body } of answers) {
      if (status === 409) expect(body.error.details).toMatchObject({ cid, actionId });
    }
    const bundle = await (await service.send(`/v1/bundle/${cid}`)).json();
    expect([bundle.actions.length, bundle.resources.length]).toEqual([1, 1]);
  });
});
