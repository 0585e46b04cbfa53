import { createHash, randomBytes } from 'node:crypto';
import type { Resource } from '@colophon/model';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createKuboPinner } from '../../src/blobs/pinning/kubo.js';
import { createPinataPinner } from '../../src/blobs/pinning/pinata.js';
import {
  ourCid,
  PINATA_JWT,
  type PinningServer,
  startKuboServer,
  startPinataServer,
} from '../support/pinning-servers.js';
import {
  ANN_CREATES,
  ANY_ENGINE,
  jsonPost,
  OTHER_KEY,
  type Service,
  startService,
} from '../support/service.js';

const FOREIGN = 'bafybeifoqqycxt74fzcgblpw7eoyc2y7y32k7vpsjhlhadyrjhgyyuukva';

describe('pinning', () => {
  let kubo: PinningServer;
  let pinata: PinningServer;
  let service: Service;
  beforeAll(async () => {
    [kubo, pinata] = await Promise.all([startKuboServer(), startPinataServer()]);
    const pinners = [
      createKuboPinner({ apiUrl: kubo.url }),
      createPinataPinner({ jwt: PINATA_JWT, gateway: undefined, uploadUrl: pinata.url }),
    ];
    service = await startService(ANY_ENGINE, { overrides: { pinners } });
  });
  afterAll(async () => {
    await service.stop();
    await Promise.all([kubo.close(), pinata.close()]);
  });
  afterEach(() => {
    for (const server of [kubo, pinata]) Object.assign(server, { outage: undefined, cidOf: ourCid });
  });

  async function record(bytes: Buffer, json: object = ANN_CREATES): Promise<string> {
    const answer = await service.upload(bytes, json);
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { cid: string }).cid;
  }

  async function readResource(cid: string): Promise<Resource> {
    return (await (await service.send(`/v1/resource/${cid}`)).json()) as Resource;
  }

  async function statuses(cid: string): Promise<Record<string, string | undefined>> {
    const { locations } = await readResource(cid);
    return Object.fromEntries(locations.map(({ provider, status }) => [provider, status]));
  }

  async function until(cid: string, expected: Record<string, string | undefined>): Promise<void> {
    await expect.poll(() => statuses(cid), { timeout: 20_000, interval: 100 }).toEqual(expected);
  }

  it('pins recorded content on every service, and shows where', async () => {
    const bytes = randomBytes(1000);
    const cid = await record(bytes);
    await until(cid, { colophon: undefined, kubo: 'pinned', pinata: 'pinned' });
    expect((await readResource(cid)).locations).toEqual([
      { uri: `/v1/resource/${cid}/content`, provider: 'colophon' },
      { uri: `ipfs://${cid}`, provider: 'kubo', status: 'pinned' },
      { uri: `ipfs://${cid}`, provider: 'pinata', status: 'pinned' },
    ]);
    expect(kubo.kept.get(cid)?.equals(bytes)).toBe(true);
    const bundle = await (await service.send(`/v1/bundle/${cid}`)).json();
    expect(bundle.resources[0].locations).toHaveLength(3);
  });

  it.each([503, 0])(
    'completes a recording during an outage (%i), and pins the content afterwards',
    async (status) => {
      kubo.outage = status;
      const bytes = randomBytes(500);
      const cid = await record(bytes);
      expect(await statuses(cid)).toMatchObject({ kubo: 'pending' });
      await until(cid, { colophon: undefined, kubo: 'pending', pinata: 'pinned' });
      const content = await service.send(`/v1/resource/${cid}/content`);
      expect(Buffer.from(await content.arrayBuffer()).equals(bytes)).toBe(true);
      kubo.outage = undefined;
      await until(cid, { colophon: undefined, kubo: 'pinned', pinata: 'pinned' });
    },
  );

  it('shows a pin as failed after the last attempt', async () => {
    kubo.outage = 500;
    const cid = await record(randomBytes(10));
    const { provenance } = service.context.databases;
    await until(cid, { colophon: undefined, kubo: 'pending', pinata: 'pinned' });
    await provenance.query(
      `update provenance.outbox set state = 'failed' where payload->>'cid' = $1 and payload->>'provider' = 'kubo'`,
      [cid],
    );
    expect(await statuses(cid)).toMatchObject({ kubo: 'failed' });
  });

  it('finds content by the CID of the pinning service, and joins earlier records under that CID', async () => {
    await service.send('/v1/entity', jsonPost({ id: 'bob', role: 'human', name: 'Bob' }));
    const earlier = { type: 'transform', performedBy: 'bob', inputCids: [FOREIGN], outputCids: [] };
    const { actionId } = await (await service.send('/v1/action', jsonPost(earlier))).json();
    pinata.cidOf = () => FOREIGN;
    const cid = await record(randomBytes(2000));
    await until(cid, { colophon: undefined, kubo: 'pinned', pinata: 'pinned' });
    expect(await readResource(FOREIGN)).toMatchObject({ cid });
    expect((await readResource(FOREIGN)).locations[2]?.uri).toBe(`ipfs://${FOREIGN}`);
    const after = await (await service.send(`/v1/bundle/${cid}?direction=descendants`)).json();
    expect(after.actions.map(({ id }: { id: string }) => id)).toContain(actionId);
  });

  it('does not let a pinning service claim the CID of stored content', async () => {
    const victim = await record(randomBytes(300));
    pinata.cidOf = () => victim;
    const cid = await record(randomBytes(301));
    await until(cid, { colophon: undefined, kubo: 'pinned', pinata: 'pinned' });
    expect((await readResource(victim)).cid).toBe(victim);
    expect((await readResource(cid)).cid).toBe(cid);
  });

  it.each([400, 2 ** 20 + 400])(
    'does not let a pinning service claim the CID of later content (%i bytes)',
    async (size) => {
      const later = randomBytes(size);
      for (const name of [ourCid(later), `bafkrei${ourCid(later.subarray(0, 1)).slice(7)}`]) {
        pinata.cidOf = () => name;
        const cid = await record(randomBytes(303));
        await until(cid, { colophon: undefined, kubo: 'pinned', pinata: 'pinned' });
      }
      pinata.cidOf = ourCid;
      const cid = await record(later);
      expect(cid).toBe(ourCid(later));
      const digest = createHash('sha256').update(later).digest('hex');
      for (const name of [cid, `sha256:${digest}`]) {
        const content = await service.send(`/v1/resource/${name}/content`);
        expect(Buffer.from(await content.arrayBuffer()).equals(later)).toBe(true);
      }
    },
  );

  it('shows the pins of one project to no other project', async () => {
    const cid = await record(randomBytes(100));
    const other = await service.send(`/v1/resource/${cid}`, {
      headers: { authorization: `Bearer ${OTHER_KEY}` },
    });
    expect(other.status).toBe(404);
  });

  it('creates no pin for a rejected recording', async () => {
    const bytes = randomBytes(100);
    const cid = await record(bytes);
    await until(cid, { colophon: undefined, kubo: 'pinned', pinata: 'pinned' });
    const count = kubo.seen.length;
    expect((await service.upload(bytes)).status).toBe(409);
    const left = await service.context.databases.provenance.query(
      `select 1 from provenance.outbox where payload->>'cid' = $1`,
      [cid],
    );
    expect(left).toEqual([]);
    expect(kubo.seen.length).toBe(count);
  });
});
