import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { findInDatabases } from '../support/find-in-database.js';
import { ANN_CREATES, ANY_ENGINE, KEY, type Service, startService, toForm } from '../support/service.js';
import { makeSigner, trustAnchorPem } from '../support/signers.js';

const SIGNER = makeSigner();
const PEM_KEY = SIGNER.privateKeyPem;
const PEM_KEY_LINE = PEM_KEY.split('\n')[1] ?? '';

describe('settings', () => {
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

  describe('the organisation `local`', () => {
    const own = () => namedProjectId('one');
    const asOperator = (path: string, init: { method?: string; body?: unknown } = {}) =>
      ask(path, init, 'operator');

    it.each([
      ['/orgs/local', { method: 'DELETE' }],
      [`/projects/${namedProjectId('one')}`, { method: 'DELETE' }],
      [`/projects/${namedProjectId('one')}`, { method: 'PUT', body: { slug: 'other' } }],
      ['/projects', { body: { orgSlug: 'local', name: 'More' } }],
      ['/orgs/local/projects', { body: { name: 'More' } }],
    ])('rejects %s with %j, because the configuration defines its projects', async (path, init) => {
      const { status, body } = await asOperator(path, init);
      expect([status, body.error.code]).toEqual([409, 'Conflict']);
      expect(await statusOf(KEY)).toBe(200);
    });

    it('has an audit entry for a project that the configuration created', async () => {
      const { entries } = (await asOperator('/orgs/local/audit')).body;
      expect(entries).toContainEqual(
        expect.objectContaining({
          action: 'project.create',
          target: own(),
          userId: 'operator',
          address: null,
        }),
      );
    });

    it('accepts settings and keys for its projects', async () => {
      const { slug } = (await asOperator(`/projects/${own()}`)).body;
      const changed = await asOperator(`/projects/${own()}`, { method: 'PUT', body: { name: 'One', slug } });
      expect([changed.status, changed.body.name]).toEqual([200, 'One']);
      const made = await asOperator('/api-keys', { body: { projectId: own(), name: 'key' } });
      expect(await statusOf(made.body.key)).toBe(200);
    });

    it('applies aiTrainingOptOut of its projects also to keys of the configuration', async () => {
      const { cid } = await (await service.upload('static bytes')).json();
      const reservation = async () =>
        (await service.send(`/v1/resource/${cid}/content`)).headers.get('tdm-reservation');
      expect(await reservation()).toBeNull();
      await asOperator(`/projects/${own()}`, { method: 'PUT', body: { aiTrainingOptOut: true } });
      expect(await reservation()).toBe('1');
      await asOperator(`/projects/${own()}`, { method: 'PUT', body: { aiTrainingOptOut: false } });
      expect(await reservation()).toBeNull();
    });
  });

  describe('settings', () => {
    it('aiTrainingOptOut turns the header tdm-reservation of the next response with content on or off', async () => {
      const { key } = await makeKey();
      const recorded = await withKey(key, '/v1/activity', {
        method: 'POST',
        body: toForm('bytes', ANN_CREATES),
      });
      const { cid } = await recorded.json();
      const reservation = async () =>
        (await withKey(key, `/v1/resource/${cid}/content`)).headers.get('tdm-reservation');
      expect(await reservation()).toBeNull();
      await ask(`/projects/${projectId}`, { method: 'PUT', body: { aiTrainingOptOut: true } });
      expect(await reservation()).toBe('1');
      await ask(`/projects/${projectId}`, { method: 'PUT', body: { aiTrainingOptOut: false } });
      expect(await reservation()).toBeNull();
    });

    it('a project, its audit entries and the database contain no signing key in plain form', async () => {
      const set = await ask(`/projects/${projectId}`, { method: 'PUT', body: { signingKey: PEM_KEY } });
      expect(set.body.signingKeySet).toBe(true);
      const everything = [
        set.body,
        (await ask(`/projects/${projectId}`)).body,
        (await ask('/orgs/planet/audit')).body,
      ];
      expect(JSON.stringify(everything)).not.toContain(PEM_KEY_LINE);
      const lines = PEM_KEY.split('\n').filter((line) => line !== '' && !line.startsWith('-----'));
      const der = Buffer.from(lines.join(''), 'base64');
      for (const sought of [PEM_KEY, lines.join(''), ...lines, der, der.subarray(-32)])
        expect(await findInDatabases(service.context.databases, sought)).toEqual([]);
      const cleared = await ask(`/projects/${projectId}`, { method: 'PUT', body: { signingKey: null } });
      expect(cleared.body.signingKeySet).toBe(false);
    });

    it.each([
      ['signingCertificate', `${SIGNER.certificatePem}${PEM_KEY}`],
      ['signingCertificate', `${PEM_KEY}${SIGNER.certificatePem}`],
      ['signingCertificate', `Subject: ours\n${SIGNER.certificatePem}`],
      ['signingCertificate', `${SIGNER.certificatePem}-----BEGIN CERTIFICATE-----`],
      ['signingCertificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'],
      ['trustAnchors', `${trustAnchorPem}${PEM_KEY}`],
      ['trustAnchors', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'],
      ['signingKey', `${PEM_KEY}${SIGNER.certificatePem}`],
      ['signingKey', '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----'],
    ])(
      'reject a %s that contains anything except complete and valid blocks of its kind (%#)',
      async (setting, text) => {
        const refused = await ask(`/projects/${projectId}`, { method: 'PUT', body: { [setting]: text } });
        expect([refused.status, refused.body.error.details]).toMatchObject([422, [{ path: setting }]]);
        expect(JSON.stringify(refused.body)).not.toContain(PEM_KEY_LINE);
      },
    );

    it('accept certificates and keys in their usual forms', async () => {
      const crlf = `\n${SIGNER.certificatePem}\n${trustAnchorPem}\n`.replaceAll('\n', '\r\n');
      for (const body of [
        { signingCertificate: crlf, signingKey: PEM_KEY.trim() },
        { trustAnchors: `${trustAnchorPem}${trustAnchorPem}` },
        { signingCertificate: null, signingKey: null, trustAnchors: null },
      ])
        expect((await ask(`/projects/${projectId}`, { method: 'PUT', body })).status).toBe(200);
    });

    it('the settings that GET returns are accepted in a change of the project, and in a new project', async () => {
      const shown = (await ask(`/projects/${projectId}`)).body;
      expect(shown).toMatchObject({
        apiUrl: 'https://colophon.example',
        ipfsApiKeySet: false,
        chainId: null,
      });
      const { id, orgId, orgSlug, signingKeySet, ipfsApiKeySet, createdAt, updatedAt, ...settings } = shown;
      const sent = await ask(`/projects/${projectId}`, { method: 'PUT', body: settings });
      expect([sent.status, sent.body]).toEqual([200, { ...shown, updatedAt: sent.body.updatedAt }]);
      expect((await ask('/projects', { body: { orgSlug, ...settings, slug: 'copy' } })).status).toBe(201);
    });

    it('an empty change changes nothing, adds no audit entry, and notifies no node', async () => {
      const { control } = service.context.databases;
      const state = () =>
        control.query(
          'select (select count from control.change_count), (select count(*) from control.audit_entry) as entries',
        );
      const before = await state();
      for (const path of [`/projects/${projectId}`, '/orgs/planet', '/users/me']) {
        const shown = (await ask(path)).body;
        const sent = await ask(path, { method: 'PUT', body: {} });
        expect([sent.status, sent.body]).toEqual([200, shown]);
      }
      expect(await state()).toEqual(before);
    });

    it('a setting that this version cannot apply to a project is rejected, and null is accepted', async () => {
      for (const setting of ['apiUrl', 'chainId', 'contractAddress', 'rpcUrl']) {
        const refused = await ask(`/projects/${projectId}`, { method: 'PUT', body: { [setting]: 'x' } });
        expect([refused.status, refused.body.error.details]).toMatchObject([422, [{ path: setting }]]);
        const taken = await ask(`/projects/${projectId}`, { method: 'PUT', body: { [setting]: null } });
        expect(taken.status).toBe(200);
      }
    });
  });
});
