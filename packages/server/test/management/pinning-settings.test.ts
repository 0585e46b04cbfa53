import { randomBytes } from 'node:crypto';
import type { Resource } from '@colophon/model';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createKuboPinner } from '../../src/blobs/pinning/kubo.js';
import { findInDatabases } from '../support/find-in-database.js';
import {
  ourCid,
  PINATA_JWT,
  type PinningServer,
  startKuboServer,
  startPinataServer,
} from '../support/pinning-servers.js';
import { ANN_CREATES, ANY_ENGINE, type Service, startService, toForm } from '../support/service.js';

const PUBLIC_KUBO = 'https://kubo.example:5001';
const TOKEN = 'token-of-the-node';

async function makeProject(service: Service, slug: string) {
  const ask = async (path: string, init: { method?: string; body?: unknown }) => {
    const answer = await service.manage('ann', path, init);
    return { status: answer.status, body: await answer.json() };
  };
  await ask('/orgs', { body: { name: 'Daily Planet', slug } });
  const { id } = (await ask('/projects', { body: { orgSlug: slug, name: 'Front page' } })).body;
  const { key } = (await ask('/api-keys', { body: { projectId: id, name: 'key', permissions: 'write' } }))
    .body;
  const headers = { authorization: `Bearer ${key}` };
  return {
    id,
    set: (body: object) => ask(`/projects/${id}`, { method: 'PUT', body }),
    create: (body: object) => ask('/projects', { body: { orgSlug: slug, name: 'Another', ...body } }),
    async record(bytes: Uint8Array): Promise<string> {
      const init = { method: 'POST', body: toForm(bytes, ANN_CREATES), headers };
      return (await (await service.send('/v1/activity', init)).json()).cid;
    },
    async pinsOf(cid: string): Promise<Record<string, string>> {
      const { locations } = (await (
        await service.send(`/v1/resource/${cid}`, { headers })
      ).json()) as Resource;
      const pins = locations.filter(({ status }) => status !== undefined);
      return Object.fromEntries(pins.map(({ provider, status }) => [provider, status ?? '']));
    },
  };
}

type Project = Awaited<ReturnType<typeof makeProject>>;

const untilPinned = (project: Project, cid: string, expected: Record<string, string>) =>
  expect.poll(() => project.pinsOf(cid), { timeout: 20_000, interval: 100 }).toEqual(expected);

describe('pinning settings', () => {
  let ours: PinningServer;
  let theirs: PinningServer;
  let pinata: PinningServer;
  let service: Service;
  let project: Project;

  beforeAll(async () => {
    [ours, theirs, pinata] = await Promise.all([startKuboServer(), startKuboServer(), startPinataServer()]);
    service = await startService(ANY_ENGINE, {
      environment: { ALLOW_PRIVATE_ADDRESSES: 'true' },
      overrides: { pinners: [createKuboPinner({ apiUrl: ours.url })], pinataUrl: pinata.url },
    });
    project = await makeProject(service, 'planet');
  });
  afterAll(async () => {
    await service.stop();
    await Promise.all([ours.close(), theirs.close(), pinata.close()]);
  });
  afterEach(async () => {
    const none = { storageType: null, ipfsProvider: null, ipfsApiKey: null, ipfsGateway: null };
    expect((await project.set(none)).status).toBe(200);
  });

  it("ipfsProvider kubo: content goes with ipfsApiKey to the project's node, not to the service's node", async () => {
    const set = await project.set({ ipfsProvider: 'kubo', ipfsGateway: theirs.url, ipfsApiKey: TOKEN });
    expect([set.status, set.body.ipfsApiKeySet]).toEqual([200, true]);
    const cid = await project.record(randomBytes(100));
    await untilPinned(project, cid, { kubo: 'pinned' });
    expect([theirs.kept.has(cid), ours.kept.has(cid)]).toEqual([true, false]);
    expect(theirs.seen.at(-1)?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });

  it('slow services of several projects do not delay the pins of another project', async () => {
    let release = () => {};
    theirs.held = new Promise((resolve) => {
      release = resolve;
    });
    const before = theirs.seen.length;
    const slow = { ipfsProvider: 'kubo', ipfsGateway: theirs.url };
    for (const slug of ['slow-1', 'slow-2', 'slow-3']) {
      const other = await makeProject(service, slug);
      await other.set(slow);
      for (let count = 0; count < 3; count++) await other.record(randomBytes(100));
    }
    const cid = await project.record(randomBytes(100));
    await untilPinned(project, cid, { kubo: 'pinned' });
    await expect.poll(() => theirs.seen.length - before, { timeout: 20_000 }).toBe(6);
    release();
    theirs.held = undefined;
  });

  it("ipfsProvider pinata: content goes to the project's account", async () => {
    const gateway = 'https://planet.mypinata.example';
    await project.set({ ipfsProvider: 'pinata', ipfsApiKey: PINATA_JWT, ipfsGateway: gateway });
    const bytes = randomBytes(100);
    const cid = await project.record(bytes);
    await untilPinned(project, cid, { pinata: 'pinned' });
    expect(pinata.kept.get(ourCid(bytes))?.equals(bytes)).toBe(true);
  });

  it('storageType local: new content is not pinned, and pending pins are abandoned', async () => {
    ours.outage = 503;
    const before = await project.record(randomBytes(100));
    await untilPinned(project, before, { kubo: 'pending' });
    await project.set({ storageType: 'local' });
    ours.outage = undefined;
    const after = await project.record(randomBytes(100));
    expect(await project.pinsOf(after)).toEqual({});
    const failure = () =>
      service.context.databases.provenance.query(
        `select 1 from provenance.outbox where payload->>'cid' = $1 and last_error ~ 'no longer pinned on kubo'`,
        [before],
      );
    await expect.poll(failure, { timeout: 20_000, interval: 100 }).toHaveLength(1);
    expect([ours.kept.has(before), ours.kept.has(after)]).toEqual([false, false]);
  });

  it('without settings, and with storageType ipfs, content is pinned on the configured services', async () => {
    for (const storageType of [null, 'ipfs']) {
      await project.set({ storageType });
      const cid = await project.record(randomBytes(100));
      await untilPinned(project, cid, { kubo: 'pinned' });
      expect(ours.kept.has(cid)).toBe(true);
    }
  });

  it('settings of one project do not affect content of another', async () => {
    const other = await makeProject(service, 'bugle');
    await project.set({ storageType: 'local' });
    const cid = await other.record(randomBytes(100));
    await untilPinned(other, cid, { kubo: 'pinned' });
  });

  it('content of a deleted project is no longer pinned', async () => {
    const gone = await makeProject(service, 'gone');
    ours.outage = 503;
    const cid = await gone.record(randomBytes(100));
    await untilPinned(gone, cid, { kubo: 'pending' });
    expect((await service.manage('ann', `/projects/${gone.id}`, { method: 'DELETE' })).status).toBe(200);
    ours.outage = undefined;
    const refusal = () =>
      service.context.databases.provenance.query(
        `select 1 from provenance.outbox where payload->>'cid' = $1 and last_error ~ 'no longer pinned on kubo'`,
        [cid],
      );
    await expect.poll(refusal, { timeout: 20_000, interval: 100 }).toHaveLength(1);
    expect(ours.kept.has(cid)).toBe(false);
  });

  it('no answer, audit entry or column of the database contains ipfsApiKey in plain form', async () => {
    const set = await project.set({ ipfsProvider: 'pinata', ipfsApiKey: PINATA_JWT });
    const everything = [
      set.body,
      await (await service.manage('ann', `/projects/${project.id}`)).json(),
      await (await service.manage('ann', '/orgs/planet/audit')).json(),
    ];
    expect(set.body).toMatchObject({ ipfsApiKeySet: true });
    expect(JSON.stringify(everything)).not.toContain(PINATA_JWT);
    expect(await findInDatabases(service.context.databases, PINATA_JWT)).toEqual([]);
  });

  it('another ipfsGateway or ipfsProvider is rejected while ipfsApiKey stays the same', async () => {
    await project.set({ ipfsProvider: 'kubo', ipfsGateway: PUBLIC_KUBO, ipfsApiKey: TOKEN });
    for (const elsewhere of [{ ipfsGateway: theirs.url }, { ipfsProvider: 'pinata' }]) {
      const refused = await project.set(elsewhere);
      expect([refused.status, refused.body.error.details]).toMatchObject([422, [{ path: 'ipfsApiKey' }]]);
    }
    expect((await project.set({ ipfsGateway: theirs.url, ipfsApiKey: null })).status).toBe(200);
    expect((await project.set({ ipfsGateway: PUBLIC_KUBO, ipfsApiKey: TOKEN })).status).toBe(200);
  });

  it.each([
    [{ ipfsProvider: 'pinata' }, 'ipfsApiKey'],
    [{ ipfsProvider: 'kubo' }, 'ipfsGateway'],
    [{ ipfsApiKey: TOKEN }, 'ipfsProvider'],
    [{ ipfsGateway: PUBLIC_KUBO }, 'ipfsProvider'],
    [{ storageType: 'postgres' }, 'storageType'],
    [{ ipfsProvider: 'infura' }, 'ipfsProvider'],
    [{ ipfsProvider: 'pinata', ipfsApiKey: 'with blanks' }, 'ipfsApiKey'],
    [{ ipfsProvider: 'kubo', ipfsGateway: 'file:///etc/passwd' }, 'ipfsGateway'],
    [{ ipfsProvider: 'kubo', ipfsGateway: 'https://user:secret@kubo.example' }, 'ipfsGateway'],
    [{ ipfsProvider: 'kubo', ipfsGateway: 'https://kubo.example?token=secret' }, 'ipfsGateway'],
  ])('an invalid or incomplete setting is rejected and changes nothing: %j', async (settings, path) => {
    const before = await (await service.manage('ann', `/projects/${project.id}`)).json();
    for (const refused of [await project.set(settings), await project.create(settings)])
      expect([refused.status, refused.body.error?.details]).toMatchObject([422, [{ path }]]);
    expect(await (await service.manage('ann', `/projects/${project.id}`)).json()).toEqual(before);
  });
});

describe('in a service that may reach only the public internet', () => {
  let kubo: PinningServer;
  let service: Service;
  let project: Project;

  beforeAll(async () => {
    kubo = await startKuboServer();
    service = await startService(ANY_ENGINE);
    project = await makeProject(service, 'planet');
  });
  afterAll(async () => {
    await service.stop();
    await kubo.close();
  });

  it.each(['http://127.0.0.1:5001', 'http://[::1]:5001', 'http://169.254.169.254', 'http://0x7f.1'])(
    'a project cannot set ipfsGateway to %s',
    async (ipfsGateway) => {
      const refused = await project.set({ ipfsProvider: 'kubo', ipfsGateway });
      expect([refused.status, refused.body.error.details]).toMatchObject([422, [{ path: 'ipfsGateway' }]]);
    },
  );

  it('nothing is sent to a name that resolves to this machine; the recording stays, its pin is pending', async () => {
    const ipfsGateway = kubo.url.replace('127.0.0.1', 'localhost');
    expect((await project.set({ ipfsProvider: 'kubo', ipfsGateway })).status).toBe(200);
    const cid = await project.record(randomBytes(100));
    const failure = () =>
      service.context.databases.provenance.query(
        `select 1 from provenance.outbox where payload->>'cid' = $1 and last_error ~ 'not an address of the public internet'`,
        [cid],
      );
    await expect.poll(failure, { timeout: 20_000, interval: 100 }).toHaveLength(1);
    expect(await project.pinsOf(cid)).toEqual({ kubo: 'pending' });
    expect(kubo.seen).toEqual([]);
  });

  it('storageType ipfs requires a pinning service', async () => {
    await project.set({ ipfsProvider: null, ipfsGateway: null });
    const refused = await project.set({ storageType: 'ipfs' });
    expect([refused.status, refused.body.error.details]).toMatchObject([422, [{ path: 'ipfsProvider' }]]);
  });
});
