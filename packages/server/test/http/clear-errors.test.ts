import { connect } from 'node:net';
import { ERROR_CODES } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JPEG } from '../support/media.js';
import { ANY_ENGINE, jsonPost, type Service, startService, toForm } from '../support/service.js';

describe('an error names the allowed values, the failing member and the remedy', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    await service.send('/v1/entity', jsonPost({ id: 'ann', role: 'human' }));
  });
  afterAll(() => service.stop());

  const errorOf = async (answer: Response) => (await answer.json()).error;
  const faultOf = async (path: string, body: unknown) => {
    const { details } = await errorOf(await service.send(path, jsonPost(body)));
    return `${details[0].path}: ${details[0].message}`;
  };

  it.each([
    ['/v1/entity', { role: 'robot' }, 'role: Expected human, ai, organization, or ext:<ns>'],
    [
      '/v1/action',
      { performedBy: 'ann', type: 'make' },
      'type: Expected create, reference, generate, transform, aggregate, verify, or ext:<ns>[@<semver>]',
    ],
    [
      '/v1/attribution',
      { entityId: 'ann', role: 'author', actionId: '0198c0de-0000-7000-8000-00000000a001' },
      'role: Expected creator, contributor, source, or ext:<ns>[@<semver>]',
    ],
    ['/v1/entity', { role: 7 }, 'role: Expected human, ai, organization, or ext:<ns>'],
  ])('the error of %s for %j lists the allowed values', async (path, body, fault) => {
    expect(await faultOf(path, body)).toBe(fault);
  });

  it.each([
    ['/v1/action', {}, 'performedBy: Missing: expected string'],
    ['/v1/entity', {}, 'role: Missing: expected human, ai, organization, or ext:<ns>'],
    ['/v1/publications', {}, 'cid: Missing: expected string'],
    ['/v1/batch', { actions: [{}] }, 'actions.0.performedBy: Missing: expected string'],
  ])('the error of %s for %j names the missing member', async (path, body, fault) => {
    expect(await faultOf(path, body)).toBe(fault);
  });

  it('embedding without aiDisclosure explains that null means human work', async () => {
    const form = toForm(JPEG, { entityId: 'ann', generator: 'Studio' });
    const { details } = await errorOf(await service.send('/v1/media/embed', { method: 'POST', body: form }));
    expect(details).toEqual([
      {
        path: 'aiDisclosure',
        message: 'Missing: expected ai_generated, ai_assisted, or null (made by people alone)',
      },
    ]);
  });

  it.each([
    ['/v1/entity', 'text/plain', 'application/json'],
    ['/v1/entity', 'application/x-www-form-urlencoded', 'application/json'],
    ['/v1/entity', 'multipart/form-data; boundary=x', 'application/json'],
    ['/v1/activity', 'application/json', 'multipart/form-data'],
    ['/v1/activity', 'text/plain', 'multipart/form-data'],
  ])('%s: 415 for %s names %s', async (path, sent, expected) => {
    const answer = await service.send(path, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': sent },
    });
    const { message, recovery } = await errorOf(answer);
    expect([answer.status, message]).toEqual([415, `Unsupported content type \`${sent.split(';')[0]}\`.`]);
    expect(recovery).toBe(`Send \`${expected}\`.`);
  });

  it('415: without a Content-Type, with or without a body, the message names the missing header', async () => {
    const bytes = new Blob(['{}']);
    for (const body of [null, bytes]) {
      const answer = await service.send('/v1/action', { method: 'POST', body });
      const { message, recovery } = await errorOf(answer);
      expect([answer.status, message]).toEqual([415, 'The request has no Content-Type.']);
      expect(recovery).toBe('Send `application/json`.');
    }
  });

  it.each([
    ['GET', '/v1/entites', 'GET /v1/entities'],
    ['POST', '/v1/actions/', 'POST /v1/action'],
    ['GET', '/v1/bundles/x', 'GET /v1/bundle/:cid'],
    ['GET', '/v2/entities', 'GET /v1/entities'],
    ['POST', '/batch', 'POST /v1/batch'],
    ['POST', '/v1/activities', 'POST /v1/activity'],
  ])('%s %s: 404 lists similar paths', async (method, path, near) => {
    const { details, recovery } = await errorOf(await service.send(path, { method }));
    expect(details.near).toContain(near);
    expect(recovery).toContain('/openapi.json');
  });

  it.each(['/v1/zzzzzzzzzz/yyyyyyyy', '/wp-login.php', `/v1/${'x'.repeat(900)}`, '/a/b/c/d/e/f'])(
    '%s resembles no path: 404 without suggestions',
    async (path) => {
      const { details, recovery } = await errorOf(await service.send(path));
      expect(details).toBeUndefined();
      expect(recovery).toContain('/openapi.json');
    },
  );

  it.each(['-1', '0', '201', 'x', '1.5'])('the error for limit=%s states the bounds', async (limit) => {
    const { details } = await errorOf(await service.send(`/v1/entities?limit=${limit}`));
    expect(details).toEqual([{ path: 'limit', message: 'must be a whole number from 1 to 200' }]);
  });

  it.each([
    ['query', `/v1/entities?cursor=${'x'.repeat(20_000)}`],
    ['path', `/v1/entity/${'x'.repeat(100_000)}`],
  ])('414 for a URI whose %s exceeds the limit', async (_, path) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(service.base).port) });
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    expect(answer).toMatch(/^HTTP\/1.1 414 [\s\S]*"UriTooLong"/);
  });

  it('no remedy begins with the vague “Correct the named” or “Check the identifier”', () => {
    for (const { remedy } of Object.values(ERROR_CODES))
      expect(remedy).not.toMatch(/^Correct the named|^Check the identifier/);
  });

  it.each([
    ['/v1/entity/nobody', 'GET /v1/entities'],
    ['/v1/action/0198c0de-0000-7000-8000-00000000a009', 'GET /v1/actions'],
    [`/v1/bundle/sha256:${'0'.repeat(64)}`, 'POST /v1/activity'],
  ])('404 of %s names the request to send instead', async (path, advice) => {
    expect((await errorOf(await service.send(path))).recovery).toContain(advice);
  });
});
