import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES, jsonPost, oneOrAll, type Service, startService } from '../support/service.js';

describe.each(oneOrAll(ENGINES))('recording known content, on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
    await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human', name: 'Ann' }));
  });
  afterAll(() => service.stop());

  const read = async (answer: Response | Promise<Response>) => {
    const { status, json } = await Promise.resolve(answer).then(async (one) => ({
      status: one.status,
      json: await one.json(),
    }));
    return { status, ...json };
  };
  const record = (content: string, json: object, headers = {}) =>
    read(service.upload(content, json, headers));

  it('referenced content that its creator records again: the error has a request that claims it', async () => {
    const { cid } = await record('a photo', { entity: { id: 'studio:ann' }, action: { type: 'reference' } });
    const { status, error } = await record('a photo', { entity: { id: 'studio:ann' } });
    expect([status, error.code, error.details.state]).toEqual([409, 'Duplicate', 'referenced']);
    const claim = JSON.parse(/POST \/v1\/action and the body (\{.*?\})/.exec(error.recovery)?.[1] ?? '');
    expect(claim).toEqual({ type: 'create', performedBy: 'studio:ann', outputCids: [cid] });
    expect((await read(service.send('/v1/action', jsonPost(claim)))).status).toBe(201);
    expect((await read(service.send(`/v1/resource/${cid}`))).state).toBe('claimed');
    const again = await record('a photo', { entity: { id: 'studio:ann' } });
    expect(again.error.details.state).toBe('claimed');
    expect(again.error.recovery).not.toContain('/v1/action');
  });

  it('an error states whether the look-up for similar content finished', async () => {
    await record('look-up', { entity: { id: 'studio:ann' } });
    const { error } = await record('look-up', { entity: { id: 'studio:ann' } });
    expect(error.details).toMatchObject({ matches: [], matchesComplete: expect.any(Boolean) });
  });

  it('sessionId inside action is accepted; a different sessionId outside action is rejected', async () => {
    const entity = { id: 'studio:ann' };
    const { actionId } = await record('in a session', { entity, action: { sessionId: 'monday' } });
    expect((await read(service.send(`/v1/action/${actionId}`))).sessionId).toBe('monday');
    const same = await record('in both', { entity, action: { sessionId: 'monday' }, sessionId: 'monday' });
    expect(same.status).toBe(201);
    const other = await record('in two', { entity, action: { sessionId: 'monday' }, sessionId: 'tuesday' });
    expect(other.error.details).toEqual([
      {
        path: 'action.sessionId',
        message:
          '`action.sessionId` differs from `sessionId`; send the same value in both, or only one of them',
      },
    ]);
  });

  it('a known entity needs no role: in an upload, an entity and a batch', async () => {
    expect(await record('without a role', { entity: { id: 'studio:ann' } })).toMatchObject({ status: 201 });
    const entity = { id: 'studio:ann', name: 'Ann' };
    expect(await read(service.send('/v1/entity', jsonPost(entity)))).toMatchObject({
      status: 200,
      entity: { role: 'human' },
    });
    const batch = { entities: [entity, { id: 'ai:1', role: 'ai' }, { id: 'ai:1' }] };
    expect(await read(service.send('/v1/batch', jsonPost(batch)))).toMatchObject({
      entities: [{ created: false }, { created: true }, { created: false }],
    });
  });

  it('a new entity needs a role, which the error lists; nothing is recorded', async () => {
    const refused = [
      await record('by nobody', { entity: { id: 'studio:nobody' } }),
      await read(service.send('/v1/entity', jsonPost({ id: 'studio:nobody' }))),
    ];
    for (const { status, error } of refused) {
      expect([status, error.code]).toEqual([422, 'ValidationError']);
      expect(error.details[0].message).toContain('human, ai, organization, or ext:<ns>');
    }
    const { error } = await read(
      service.send('/v1/batch', jsonPost({ entities: [{ id: 'studio:nobody' }] })),
    );
    expect(error.details[0].path).toMatch(/^entities\.0/);
    expect((await read(service.send('/v1/entity/studio:nobody'))).status).toBe(404);
  });

  it('a changed display name does not block an upload, and is reported', async () => {
    const sent = { entity: { id: 'studio:ann', role: 'human', name: 'Ann Lee' } };
    const key = { 'idempotency-key': 'renamed' };
    const recorded = await record('renamed', sent, key);
    expect(recorded).toMatchObject({ status: 201, nameDiffers: { stored: 'Ann', sent: 'Ann Lee' } });
    expect(await record('renamed', sent, key)).toEqual(recorded);
    expect((await read(service.send('/v1/entity/studio:ann'))).name).toBe('Ann');
    const same = await record('same name', { entity: { ...sent.entity, name: 'Ann' } });
    expect(same.status).toBe(201);
    expect(same).not.toHaveProperty('nameDiffers');
  });

  it('a changed display name is rejected with `ifNameDiffers: refuse`, or if another field differs too', async () => {
    const entity = { id: 'studio:ann', role: 'human', name: 'Ann Lee' };
    const refused = await record('refused', { entity, ifNameDiffers: 'refuse' });
    expect([refused.status, refused.error.details.fields]).toEqual([409, ['name']]);
    const both = await record('refused', { entity: { ...entity, role: 'ai' } });
    expect([both.status, both.error.details.fields]).toEqual([409, ['name', 'role']]);
    expect((await record('refused', { entity, ifNameDiffers: 'report' })).status).toBe(201);
  });
});
