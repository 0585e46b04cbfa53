import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { cosign, type MlDsaSigner, toWitnessKey } from '@colophon/model';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createSigner, createVerifySignature } from '../../src/access/ed25519.js';
import { type Databases, openDatabases } from '../../src/platform/db/open-databases.js';
import { readCosignatures } from '../../src/transparency-log/cosignatures.sql.js';
import type { TransparencyLogDeps } from '../../src/transparency-log/deps.js';
import { nameLogs } from '../../src/transparency-log/log.sql.js';
import { toLogSigner } from '../../src/transparency-log/log-signer.js';
import { createBackoff } from '../../src/witnesses/backoff.js';
import { cosignDueLogs } from '../../src/witnesses/cosign-due-logs.js';
import { recordItems, toEntityItem } from '../support/plain-items.js';

const NAME = 'w.example';
const LEAVES = 10;
const ANCHORED = 9;
const old = createSigner('02'.repeat(32));
/** The signatures of this signer are not valid, and the test accepts each one. So it runs on every version of Node. */
const added: MlDsaSigner = {
  algorithm: 'ml-dsa-44',
  publicKey: new Uint8Array(1_312).fill(7),
  signBytes: () => new Uint8Array(2_420),
};
const verify = { ed25519: createVerifySignature(), mlDsa44: () => true };

let databases: Databases;
let server: Server;
/** Cosigned with any key. */
let cosigned = 0;
const project = randomUUID();

beforeAll(async () => {
  databases = await openDatabases({ kind: 'memory' });
  const { provenance: db } = databases;
  await nameLogs(db, 'localhost');
  const toItem = (_: unknown, place: number) => toEntityItem({ id: `e${place}`, role: 'human' });
  await recordItems(db, project, Array.from({ length: LEAVES }, toItem));
  server = createServer(async (request, response) => {
    const body = await text(request);
    const checkpoint = body.slice(body.indexOf('\n\n') + 2).split('\n\n')[0] ?? '';
    const size = Number(checkpoint.split('\n')[1]);
    if (Number(/^old (\d+)\n/.exec(body)?.[1]) !== cosigned || size < cosigned)
      return void response.writeHead(409).end(`${cosigned}\n`);
    cosigned = size;
    const as = { name: NAME, timeSeconds: 1_764_028_800 };
    response.end(cosign(`${checkpoint}\n`, as, old) + cosign(`${checkpoint}\n`, as, added));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
}, 60_000);
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await databases.close();
});

/** Returns the messages of the reported errors. */
async function cosignOnce(keys: readonly ('old' | 'added')[]): Promise<string[]> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const all = {
    old: toWitnessKey(NAME, Buffer.from(old.publicKeyHex, 'hex')),
    added: toWitnessKey(NAME, added.publicKey, 'ml-dsa-44'),
  };
  const logs: TransparencyLogDeps = {
    ...{ provenance: databases.provenance, service: 'localhost' },
    limitConcurrency: (_, run) => run(),
    readAnchoredLeaf: async () => undefined,
    signer: toLogSigner(createSigner('07'.repeat(32))),
    completeNodes: async () => undefined,
  };
  const report = vi.fn();
  await cosignDueLogs({
    ...{ logs, verify, report, timeoutMs: 5_000, stopping: new AbortController().signal },
    witnesses: keys.map((id) => ({ id, key: all[id], url })),
    backoff: createBackoff({ firstPauseMs: 1, maxPauseMs: 1 }),
  });
  return report.mock.calls.map(([error]) => error.message);
}

const countLines = async (size: number) =>
  (await readCosignatures(databases.provenance, project, size)).split('\n').length - 1;

it('a second key of a witness cosigns the present tree that its first key has already cosigned', async () => {
  expect(await cosignOnce(['old'])).toEqual([]);
  expect([cosigned, await countLines(LEAVES)]).toEqual([LEAVES, 1]);
  const anchor = randomUUID();
  await databases.provenance.query(
    `insert into provenance.anchor (id, root, size, state, chain_id, chain_name, contract)
     values ($1, $2, 1, 'final', 1, 'test', '0x')`,
    [anchor, Buffer.alloc(32)],
  );
  await databases.provenance.query(
    `insert into provenance.anchor_head (project_id, size, anchor_id, origin, place, path)
     values ($1, $2, $3, 'log', 0, '[]')`,
    [project, ANCHORED, anchor],
  );
  expect(await cosignOnce(['old', 'added'])).toEqual([]);
  expect([await countLines(ANCHORED), await countLines(LEAVES)]).toEqual([0, 2]);
});

it('a witness that has cosigned a larger tree than the log has is reported', async () => {
  await databases.provenance.query('delete from provenance.cosignature');
  cosigned = LEAVES + 1;
  expect(await cosignOnce(['old'])).toEqual([expect.stringContaining('Was the database restored?')]);
  expect([await countLines(ANCHORED), await countLines(LEAVES)]).toEqual([0, 0]);
});
