import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepAnswer } from '../../src/management/idempotent-answers.sql.js';
import { DatabaseError } from '../../src/platform/db/database.js';
import { findInDatabases } from '../support/find-in-database.js';
import {
  ANN_CREATES,
  ANY_ENGINE,
  jsonPost,
  KEY,
  MANAGEMENT_KEY,
  type Service,
  startService,
  toForm,
} from '../support/service.js';

const UUID = '01a1fd62-1556-7288-a39f-606a17a5bfde';
const KEYED = {
  authorization: `Bearer ${MANAGEMENT_KEY}`,
  'x-user-id': 'ann',
  'content-type': 'application/json',
  'idempotency-key': 'once',
};

describe('projects and keys', () => {
  let service: Service;
  let projectId: string;

  const ask = async (path: string, init: { method?: string; body?: unknown } = {}, userId = 'ann') => {
    const answer = await service.manage(userId, path, init);
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  };
  const makeKey = async (more: object = {}) =>
    (await ask('/api-keys', { body: { projectId, name: 'key', permissions: 'write', ...more } })).body;
  const withKey = (key: string, path: string, init: RequestInit = {}) =>
    service.send(path, { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } });
  const statusOf = async (key: string) => (await withKey(key, '/v1/entities')).status;

  beforeAll(async () => {
    service = await startService(ANY_ENGINE, { environment: { PUBLIC_URL: 'https://colophon.example' } });
    await ask('/orgs', { body: { name: 'Daily Planet', slug: 'planet' } });
    projectId = (await ask('/projects', { body: { orgSlug: 'planet', name: 'Front page' } })).body.id;
  });
  afterAll(() => service.stop());

  describe('slugs', () => {
    it('are unique: one of two concurrent creations gets 201, and the other gets 409', async () => {
      const body = { orgSlug: 'planet', name: 'Twice', slug: 'twice' };
      const made = await Promise.all([1, 2].map(() => ask('/projects', { body })));
      expect(made.map(({ status }) => status).toSorted()).toEqual([201, 409]);
      const orgs = await Promise.all(
        [1, 2].map(() => ask('/orgs', { body: { name: 'Org', slug: 'org-twice' } })),
      );
      expect(orgs.map(({ status }) => status).toSorted()).toEqual([201, 409]);
      const listed: { slug: string }[] = (await ask('/projects/planet')).body;
      expect(listed.filter(({ slug }) => slug === 'twice')).toHaveLength(1);
    });

    it.each(['Großbuchstabe', 'ひらがな', 'a b', '../etc', 'a'.repeat(41), '', '\u0000', 'x\ny', UUID])(
      'cannot be %j',
      async (slug) => {
        const project = await ask('/projects', { body: { orgSlug: 'planet', name: 'Name', slug } });
        const org = await ask('/orgs', { body: { name: 'Name', slug } });
        expect([project.status, org.status]).toEqual([422, 422]);
      },
    );

    it.each([
      ['Tägliche Post!', 'tagliche-post'],
      ['  ', undefined],
      ['ひらがな', /^project-[a-z0-9]{8}$/],
      [UUID, /^project-[a-z0-9]{8}$/],
      [`${'x'.repeat(39)} y`, 'x'.repeat(39)],
      ['x'.repeat(64), 'x'.repeat(40)],
    ])(
      'are by default derived from the name of the project, if this name is valid: %j',
      async (name, slug) => {
        const { status, body } = await ask('/projects', { body: { orgSlug: 'planet', name } });
        expect(status).toBe(slug === undefined ? 422 : 201);
        if (slug !== undefined)
          expect(body.slug).toEqual(slug instanceof RegExp ? expect.stringMatching(slug) : slug);
      },
    );

    it('of a deleted project are free again', async () => {
      const body = { orgSlug: 'planet', name: 'Gone', slug: 'gone' };
      const { id } = (await ask('/projects', { body })).body;
      await ask(`/projects/${id}`, { method: 'DELETE' });
      expect((await ask(`/projects/${id}`)).status).toBe(404);
      expect((await ask('/projects', { body })).status).toBe(201);
    });
  });

  describe('names', () => {
    it.each([
      ['of 1 MB', 'n'.repeat(1_000_000)],
      ['with NUL', 'a\u0000b'],
      ['of one character', 'a'],
      ['that are numbers', 7],
    ])('%s are refused', async (_, name) => {
      for (const path of ['/orgs', '/projects', '/api-keys', `/projects/${projectId}/api-keys`]) {
        const body = { orgSlug: 'planet', slug: 'name-test', projectId, name };
        expect((await ask(path, { body })).status).toBe(422);
      }
    });
  });

  describe('keys', () => {
    it('are shown once, and work only as shown', async () => {
      const made = await makeKey();
      expect(made.key).toMatch(/^pk_live_[0-9A-Za-z]{46}$/);
      expect(made.prefix).toBe(made.key.slice(0, 16));
      const listed = await ask(`/api-keys/${projectId}`);
      expect(JSON.stringify(listed.body)).not.toContain(made.key);
      expect(listed.body[0]).toMatchObject({ id: made.id, prefix: made.prefix, revokedAt: null });
      expect(await statusOf(made.key)).toBe(200);
      expect(await statusOf(`${made.key.slice(0, -1)}${made.key.endsWith('a') ? 'b' : 'a'}`)).toBe(401);
    });

    it('are neither in the audit log nor in the database, which contains only a digest', async () => {
      const { key } = await makeKey();
      const audit = await ask('/orgs/planet/audit?limit=200');
      expect(JSON.stringify(audit.body)).not.toContain(key);
      const { databases } = service.context;
      expect(await findInDatabases(databases, key)).toEqual([]);
      expect(await findInDatabases(databases, key.slice('pk_live_'.length))).toEqual([]);
      const digest = createHash('sha256').update(key).digest();
      expect(await findInDatabases(databases, digest)).toEqual(['control.api_key.key_digest']);
    });

    it.each([
      ['read', 200, 403],
      ['write', 200, 201],
    ] as const)(
      'with the permission %s get %i for a read and %i for a write',
      async (permissions, reading, writing) => {
        const { key } = await makeKey({ permissions });
        expect(await statusOf(key)).toBe(reading);
        const wrote = await withKey(key, '/v1/entity', jsonPost({ role: 'ai' }));
        expect(wrote.status).toBe(writing);
      },
    );

    it('describe their permission when created, and a rejection names the way to a stronger key', async () => {
      const reading = await makeKey({ permissions: undefined });
      expect(reading).toMatchObject({ permissions: 'read', allows: expect.stringMatching(/cannot record/) });
      expect((await makeKey()).allows).toMatch(/records/);
      const refused = await withKey(reading.key, '/v1/entity', jsonPost({ role: 'ai' }));
      const { error } = await refused.json();
      expect(error.message).toBe('This API key may `read`; this operation needs `write`.');
      expect(error.recovery).toContain('POST /management/api-keys');
      expect(error.recovery).toContain('--permission write');
      expect(error.details).toEqual({ permission: 'read', needed: 'write', projectId });
    });

    it('see only their own project', async () => {
      const { key } = await makeKey();
      await service.send('/v1/entity', jsonPost({ id: 'of-project-one', role: 'human' }));
      expect((await withKey(key, '/v1/entity/of-project-one')).status).toBe(404);
    });

    it('give no access after the answer to their revocation; a second revocation is a conflict', async () => {
      const { key, id } = await makeKey();
      expect(await statusOf(key)).toBe(200);
      expect((await ask(`/api-keys/${id}`, { method: 'DELETE' })).body).toEqual({ revoked: true });
      expect(await statusOf(key)).toBe(401);
      expect((await ask(`/api-keys/${id}`, { method: 'DELETE' })).body.error.code).toBe('Conflict');
    });

    it('give no access after their project or its organisation is deleted', async () => {
      await ask('/orgs', { body: { name: 'Shortlived', slug: 'short' } });
      const own = (await ask('/projects', { body: { orgSlug: 'short', name: 'Brief' } })).body.id;
      const other = (await ask('/projects', { body: { orgSlug: 'short', name: 'Briefer' } })).body.id;
      const [first, second] = [await makeKey({ projectId: own }), await makeKey({ projectId: other })];
      expect([await statusOf(first.key), await statusOf(second.key)]).toEqual([200, 200]);
      await ask(`/projects/${own}`, { method: 'DELETE' });
      expect([await statusOf(first.key), await statusOf(second.key)]).toEqual([401, 200]);
      await ask('/orgs/short', { method: 'DELETE' });
      expect(await statusOf(second.key)).toBe(401);
    });

    it('keep working after their rotation only for the overlap, and the new keys work immediately', async () => {
      const [short, long] = [await makeKey(), await makeKey({ expiresInDays: 10 })];
      const now = await ask(`/api-keys/${short.id}/rotate`, { body: { overlapHours: 0 } });
      expect(now.headers.get('cache-control')).toBe('no-store');
      expect([await statusOf(short.key), await statusOf(now.body.key)]).toEqual([401, 200]);
      const later = (await ask(`/api-keys/${long.id}/rotate`, { body: { overlapHours: 2 } })).body;
      expect([await statusOf(long.key), await statusOf(later.key)]).toEqual([200, 200]);
      const again = (await ask(`/api-keys/${long.id}/rotate`, { body: { overlapHours: 2 } })).body;
      const rows: { id: string; expiresAt: string }[] = (await ask(`/api-keys/${projectId}`)).body;
      const hoursLeft = (id: string) =>
        (Date.parse(rows.find((row) => row.id === id)?.expiresAt ?? '') - Date.now()) / 3_600_000;
      expect(hoursLeft(long.id)).toBeCloseTo(2, 1);
      expect([hoursLeft(later.id), hoursLeft(again.id)]).toEqual([
        expect.closeTo(240, 1),
        expect.closeTo(240, 1),
      ]);
      const dead = await ask(`/api-keys/${short.id}/rotate`, { body: {} });
      expect(dead.body.error.code).toBe('Conflict');
    });

    it('show the minute of their last use, without one write per request', async () => {
      const { key, id } = await makeKey();
      const lastUsed = async (): Promise<string | null> =>
        (await ask(`/api-keys/${projectId}`)).body.find((row: { id: string }) => row.id === id).lastUsedAt;
      expect(await lastUsed()).toBeNull();
      for (let count = 0; count < 5; count++) await statusOf(key);
      expect(await lastUsed()).toBeNull();
      await service.context.meter.flush();
      const at = await lastUsed();
      expect(Date.now() - Date.parse(at ?? '')).toBeLessThan(120_000);
      expect(at).toMatch(/:00\.000Z$/);
    });

    it('add their calls, bytes and actions to the usage of their project', async () => {
      await ask('/orgs', { body: { name: 'Metered', slug: 'metered' } });
      const own = (await ask('/projects', { body: { orgSlug: 'metered', name: 'Meter' } })).body.id;
      const { key, id } = await makeKey({ projectId: own });
      await withKey(key, '/v1/activity', { method: 'POST', body: toForm('seven b', ANN_CREATES) });
      await withKey(key, '/v1/entity/none');
      await service.context.meter.flush();
      const { body } = await ask(`/projects/${own}/usage`);
      expect(body).toMatchObject({
        summary: { totalCalls: 2, successRate: 50, period: 'month' },
        bytesStored: 7,
        actionsRecorded: 1,
        byKey: [{ keyId: id, calls: 2 }],
      });
      const logs = (await ask(`/projects/${own}/logs`)).body.logs;
      expect(logs.map(({ endpoint, statusCode }: Record<string, unknown>) => [endpoint, statusCode])).toEqual(
        [
          ['GET /v1/entity/:id', 404],
          ['POST /v1/activity', 201],
        ],
      );
    });

    it('are validated for a system that received them; the answer says why a key is invalid', async () => {
      const { key, id } = await makeKey();
      const verdict = async (text: string) =>
        (await ask('/auth/validate-key', { body: { key: text } }, 'system')).body;
      const orgId = (await ask('/orgs/planet')).body.id;
      expect(await verdict(key)).toEqual({
        valid: true,
        projectId,
        orgId,
        userId: 'ann',
        permissions: 'write',
        entityId: null,
      });
      expect(await verdict(KEY)).toMatchObject({ valid: true, userId: 'operator', permissions: 'admin' });
      expect(await verdict('pk_live_typo')).toEqual({ valid: false, reason: 'malformed' });
      await ask(`/api-keys/${id}`, { method: 'DELETE' });
      expect(await verdict(key)).toEqual({ valid: false, reason: 'revoked' });
    });
  });

  describe('repetitions', () => {
    it('of a POST with the same Idempotency-Key get the first answer, and get 422 with another body', async () => {
      const post = async (name: string) => {
        const answer = await fetch(`${service.base}/management/projects`, {
          ...jsonPost({ orgSlug: 'planet', name }),
          headers: KEYED,
        });
        return { status: answer.status, body: await answer.json() };
      };
      const first = await post('Keyed');
      expect(await post('Keyed')).toEqual(first);
      expect(first.status).toBe(201);
      expect((await post('Other')).status).toBe(422);
    });

    it('do not get the first answer after their sender has lost access', async () => {
      await ask('/orgs/planet/members', { body: { userId: 'bob', role: 'developer' } });
      const post = () =>
        fetch(`${service.base}/management/projects`, {
          ...jsonPost({ orgSlug: 'planet', name: 'Of Bob' }),
          headers: { ...KEYED, 'x-user-id': 'bob' },
        });
      expect((await post()).status).toBe(201);
      await ask('/orgs/planet/members/bob', { method: 'DELETE' });
      expect((await post()).status).toBe(404);
    });

    it('get a conflict if another request stored its answer first; other failures are database errors', async () => {
      const { control } = service.context.databases;
      const keep = (scope: string) =>
        control.transaction((tx) => keepAnswer(tx, { scope, fingerprint: '00' }, {}));
      await keep('0102');
      await expect(keep('0102')).rejects.toMatchObject({ code: 'Conflict' });
      await expect(keep('not hex')).rejects.toBeInstanceOf(DatabaseError);
    });

    it('of a request that changes nothing ignore a valid Idempotency-Key, and get 400 for an invalid one', async () => {
      const validate = async (idempotencyKey: string) =>
        (
          await fetch(`${service.base}/management/auth/validate-key`, {
            ...jsonPost({ key: KEY }),
            headers: { ...KEYED, 'idempotency-key': idempotencyKey },
          })
        ).status;
      expect([await validate('once'), await validate(''), await validate('a b')]).toEqual([200, 400, 400]);
    });

    it('of the creation of an API key are impossible, because an Idempotency-Key is rejected', async () => {
      const before = (await ask(`/api-keys/${projectId}`)).body.length;
      const answer = await fetch(`${service.base}/management/api-keys`, {
        ...jsonPost({ projectId, name: 'key' }),
        headers: KEYED,
      });
      expect(answer.status).toBe(422);
      expect((await ask(`/api-keys/${projectId}`)).body).toHaveLength(before);
    });
  });
});
