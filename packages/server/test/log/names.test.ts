import { randomUUID } from 'node:crypto';
import { parseCheckpoint, parseTrustedLog, type TrustedLog, verifyReceipt } from '@colophon/model';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { createVerifySignature } from '../../src/access/ed25519.js';
import { createMigratedDatabase } from '../support/postgres.js';
import { ANY_ENGINE, OTHER_KEY, type Service, startService } from '../support/service.js';

const verify = createVerifySignature();
const [ONE, TWO] = [namedProjectId('one'), namedProjectId('two')];

/** All starts in a test use the same database and signing key. */
let environment: Record<string, string>;
let running: Service | undefined;
let said: { msg: string; before?: string; anchored?: number; unanchored?: number }[];

beforeEach(async () => {
  environment = {
    DATABASE_URL: await createMigratedDatabase(inject('postgresUrl'), 'names of logs'),
    SERVER_SIGNING_KEY: '07'.repeat(32),
  };
});
afterEach(() => running?.stop());

async function restart(variables: Record<string, string>): Promise<Service> {
  await running?.stop();
  said = [];
  const logger = pino({ level: 'info' }, { write: (line) => said.push(JSON.parse(line)) });
  running = await startService(ANY_ENGINE, {
    environment: { ...environment, ...variables },
    overrides: { logger },
  });
  return running;
}

const readLog = async (service: Service, headers = {}) => (await service.send('/v1/log', { headers })).json();
const messages = (start: string) => said.filter(({ msg }) => msg.startsWith(start));
const asOther = { authorization: `Bearer ${OTHER_KEY}` };

describe('the name of a log', () => {
  it('is fixed by its first leaf, even if PORT or PUBLIC_URL differ at a later start', async () => {
    let service = await restart({ PORT: '4001' });
    const { actionId, cid } = await (await service.upload('a photo')).json();
    const { origin, verifierKey } = await readLog(service);
    expect(origin).toBe(`localhost:4001/log/${ONE}`);
    const trusted = parseTrustedLog(verifierKey) as TrustedLog;

    for (const variables of [{ PORT: '4002' }, { PUBLIC_URL: 'https://example.org/c' }] as const) {
      service = await restart({ ...variables });
      expect(messages('PUBLIC_URL or PORT changed')).toMatchObject([
        { level: 40, before: expect.any(String) },
      ]);
      await service.upload(`another photo: ${JSON.stringify(variables)}`);
      expect(await readLog(service)).toMatchObject({ origin, verifierKey });
      const receipt = await (await service.send(`/v1/action/${actionId}/receipt`)).json();
      expect(verifyReceipt(receipt, trusted, verify)).toMatchObject({ verified: true, origin });
      const checkpoint = await (await service.send('/v1/log/checkpoint')).text();
      expect(parseCheckpoint(checkpoint)?.origin).toBe(origin);
      const inclusion = await (await service.send('/v1/log/inclusion?leafIndex=0')).json();
      expect(inclusion.origin).toBe(origin);
      const proven = await (await service.send(`/v1/bundle/${cid}?proof=true`)).json();
      expect(proven.proof.origin).toBe(origin);
    }
    // A log without a leaf takes its name from the current PUBLIC_URL.
    expect((await readLog(service, asOther)).origin).toBe(`example.org/c/log/${TWO}`);
    await service.upload('of another project', undefined, asOther);
    service = await restart({ PUBLIC_URL: 'https://example.com' });
    expect((await readLog(service, asOther)).origin).toBe(`example.org/c/log/${TWO}`);
    await restart({ PUBLIC_URL: 'https://example.com' });
    expect(messages('PUBLIC_URL or PORT changed')).toEqual([]);
  });

  it('of an earlier version is set at the first start: the newest anchored name, or else the current one', async () => {
    let service = await restart({ PUBLIC_URL: 'https://now.example' });
    await service.upload('a photo');
    await service.upload('of another project', undefined, asOther);
    const { provenance } = service.context.databases;
    await provenance.query('update provenance.anchor_due set origin = null');
    await provenance.query('delete from provenance.log_service');
    const heads = ['older.example', 'old.example'].map((host, place) => [place + 1, `${host}/log/${ONE}`]);
    for (const [size, origin] of heads) {
      const anchor = randomUUID();
      await provenance.query(
        `insert into provenance.anchor (id, root, size, chain_id, chain_name, contract)
         values ($1, '\\x00', 1, 1, 'local', '0x')`,
        [anchor],
      );
      await provenance.query(
        `insert into provenance.anchor_head (project_id, size, anchor_id, origin, place, path)
         values ($1, $2, $3, $4, 0, '[]')`,
        [ONE, size, anchor, origin],
      );
    }

    service = await restart({ PUBLIC_URL: 'https://now.example' });
    expect((await readLog(service)).origin).toBe(`old.example/log/${ONE}`);
    expect((await readLog(service, asOther)).origin).toBe(`now.example/log/${TWO}`);
    expect(messages('logs of an earlier version')).toMatchObject([{ anchored: 1, unanchored: 1 }]);

    service = await restart({ PUBLIC_URL: 'https://later.example' });
    expect((await readLog(service)).origin).toBe(`old.example/log/${ONE}`);
    expect((await readLog(service, asOther)).origin).toBe(`now.example/log/${TWO}`);
    expect(messages('logs of an earlier version')).toEqual([]);
  });
});
