import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csrfTokenOf } from '../../src/access/secret-token.js';
import { ensureAccount } from '../../src/management/accounts.sql.js';
import { BY_PASSWORD, startSession } from '../../src/management/sessions/session.js';
import { ANY_ENGINE, type Service, startService } from '../support/service.js';
import type { Call } from './calls.js';
import { type ManagedWorld, makeManagedWorld } from './managed-world.js';
import { managementCalls } from './management-calls.js';
import { answerFault, errorFault, type Operation, readOperations } from './operations.js';
import { sendCall } from './send-call.js';

/** Only the holder of the management secret may send this request. */
const VOUCHED = 'POST /management/orgs/{slug}/members';

const NAMES = Object.keys(
  managementCalls({ spareKeyIds: ['', ''], webhookIds: ['', ''] } as unknown as ManagedWorld),
).filter((name) => name !== VOUCHED);

describe('/app/api for a signed-in user', () => {
  let service: Service;
  let operations: Operation[];
  let calls: Record<string, Call[]>;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    calls = managementCalls(await makeManagedWorld(service));
    await service.manage('ann', '/orgs/planet/members', { body: { userId: 'eve' } });
    operations = readOperations(await (await fetch(`${service.base}/openapi.json`)).json());
  });
  afterAll(() => service.stop());

  async function headersOf({ as, headers = {} }: Call): Promise<Record<string, string>> {
    const { 'x-user-id': userId = '', ...others } = headers;
    if (as !== 'manager') return { ...others, origin: service.base };
    const token = await service.context.databases.control.transaction(async (tx) => {
      await ensureAccount(tx, userId);
      return (await startSession(tx, userId, BY_PASSWORD)).token;
    });
    const cookie = `colophon_session=${token}`;
    return { ...others, origin: service.base, cookie, 'x-csrf-token': csrfTokenOf(token) };
  }

  it.each(NAMES)('answers %s as /management does', async (name) => {
    const operation = operations.find((one) => one.name === name) as Operation;
    for (const call of calls[name] ?? []) {
      if (/^$| /.test(call.headers?.['x-user-id'] ?? '')) continue;
      const headers = await headersOf(call);
      const { as: _, status: expected, ...rest } = call;
      const target = `/app/api${call.target}`;
      const answer = await sendCall(service.base, {
        ...rest,
        target,
        headers,
        method: operation.method,
        key: undefined,
      });
      const { status } = answer;
      const seen = {
        status,
        mediaType: answer.headers.get('content-type') ?? undefined,
        requestId: answer.headers.get('x-request-id') ?? undefined,
        text: await answer.text(),
      };
      // A signed-in user already has an account.
      const isKnown = name === 'PUT /management/users/me' && expected === 201;
      expect([status, answerFault(operation, seen)], target).toEqual([isKnown ? 200 : expected, undefined]);
      if (status >= 400) expect(errorFault(seen), target).toBeUndefined();
    }
  });

  it('refuses to add a member directly, with a message that reveals nothing about the person', async () => {
    const call: Call = { status: 403, as: 'manager', target: '', headers: { 'x-user-id': 'ann' } };
    const answer = await sendCall(service.base, {
      target: '/app/api/management/orgs/planet/members',
      json: { userId: 'local:somebody' },
      headers: await headersOf(call),
      method: 'POST',
      key: undefined,
    });
    expect([answer.status, (await answer.json()).error.message]).toEqual([
      403,
      'A person becomes a member only with their own consent.',
    ]);
  });

  it('documents no operation under /app/api/management', () => {
    expect(operations.filter(({ path }) => path.startsWith('/app/api/management'))).toEqual([]);
  });

  it('returns 404 for unknown paths and 405 for unsupported methods, after the session check', async () => {
    const ask = async (path: string, method: string, userId?: string) => {
      const call: Call = {
        status: 0,
        target: path,
        ...(userId && { as: 'manager', headers: { 'x-user-id': userId } }),
      };
      const headers = await headersOf(call);
      return (await sendCall(service.base, { target: path, headers, method, key: undefined })).status;
    };
    expect(await ask('/app/api/nothing', 'GET')).toBe(401);
    expect(await ask('/app/api/nothing', 'GET', 'ann')).toBe(404);
    expect(await ask('/app/api/management/orgs', 'PATCH')).toBe(401);
    expect(await ask('/app/api/management/orgs', 'PATCH', 'ann')).toBe(405);
    expect(await ask('/app/api/session', 'PATCH', 'ann')).toBe(405);
  });
});
