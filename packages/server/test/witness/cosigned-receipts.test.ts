import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  formatVerifierKey,
  formatWitnessKey,
  parseCheckpoint,
  parseVerifierKey,
  parseWitnessKey,
  toVerifierKey,
  toWitnessKey,
  verifyWitnesses,
  type WitnessKey,
} from '@colophon/model';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFailed, vi } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { createSigner, createVerifySignature } from '../../src/access/ed25519.js';
import { listUncosignedLogs, readCosignedTree } from '../../src/transparency-log/cosignatures.sql.js';
import { runCli } from '../support/run-cli.js';
import { ANY_ENGINE, type Service, startService } from '../support/service.js';
import { startWitness, type WitnessProcess } from '../support/witness.js';

const SEED = 'ab'.repeat(32);
const LOG = formatVerifierKey(
  toVerifierKey(
    `example.org/log/${namedProjectId('one')}`,
    Buffer.from(createSigner(SEED).publicKeyHex, 'hex'),
  ),
);
const verify = createVerifySignature();
const WITNESS_TIMEOUT_MS = 5_000;
/** Bound for a recording while a witness is silent. It is below `WITNESS_TIMEOUT_MS`. */
const RECORDING_MS = 3_000;
/** No witness has this key. */
const DEAD = formatWitnessKey(toWitnessKey('dead', Buffer.alloc(32, 7)));
const folder = mkdtempSync(path.join(tmpdir(), 'colophon-witness-'));
afterAll(() => rmSync(folder, { recursive: true }));

const start = (witnesses: string) =>
  startService(ANY_ENGINE, {
    environment: {
      SERVER_SIGNING_KEY: SEED,
      PUBLIC_URL: 'https://example.org',
      WITNESSES: witnesses,
      WITNESS_INTERVAL: '1',
    },
  });
const listOf = (...all: WitnessProcess[]) => all.map(({ key, url }) => `${key} ${url}`).join('\n');
const toKey = (text: string) => parseWitnessKey(text) as WitnessKey;
const readCheckpoint = async (service: Service) => (await service.send('/v1/log/checkpoint')).text();

/** If one witness is silent, a round takes `WITNESS_TIMEOUT_MS`, and a record can wait for two rounds. */
const untilCosigned = (service: Service, ...all: { key: string }[]) =>
  vi.waitFor(
    async () => {
      const policy = { witnesses: all.map(({ key }) => toKey(key)), quorum: all.length };
      expect(verifyWitnesses(await readCheckpoint(service), policy, verify)).toMatchObject({
        verified: true,
      });
    },
    { timeout: 45_000, interval: 100 },
  );

async function keepReceipt(service: Service, actionId: string): Promise<string> {
  const file = path.join(folder, `${actionId}.json`);
  writeFileSync(file, await (await service.send(`/v1/action/${actionId}/receipt`)).text());
  return file;
}
const readReadiness = async (service: Service) => {
  const answer = await service.send('/readyz');
  return { status: answer.status, body: await answer.json() };
};
const record = async (service: Service, content: string): Promise<string> =>
  (await (await service.upload(content)).json()).actionId;

describe('receipts with witnesses', () => {
  const places = ['one', 'two'].map((name) => path.join(folder, name));
  let service: Service;
  let first: WitnessProcess;
  let second: WitnessProcess;

  beforeAll(async () => {
    [first, second] = (await Promise.all(places.map((place) => startWitness(place, [LOG])))) as [
      WitnessProcess,
      WitnessProcess,
    ];
    service = await start(listOf(first, second));
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    await Promise.all([first.stop(), second.stop()]);
  });

  it('verify offline with a quorum, also the receipts of records before the newest checkpoint', async () => {
    const actionIds = [await record(service, 'a'), await record(service, 'b')];
    await untilCosigned(service, first, second);
    for (const actionId of actionIds) {
      const file = await keepReceipt(service, actionId);
      const witnesses = ['--witness', first.key, '--witness', second.key, '--quorum', '2'];
      const { status, stdout, stderr } = await runCli(['verify', file, '--key', LOG, ...witnesses], {});
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout.match(/^witness {6}\S+ at 20/gm)).toHaveLength(2);
      expect(stdout).toMatch(/^as of {8}20\S+Z by the clock of 2 witnesses$/m);
      expect(stdout).not.toContain('everybody the same tree');
    }
  });

  it('include a record at once, and later get cosignatures without a further recording', async () => {
    const actionId = await record(service, 'c');
    const early = await (await service.send(`/v1/action/${actionId}/receipt`)).json();
    expect(parseCheckpoint(early.log.checkpoint)?.size).toBeGreaterThan(early.log.leafIndex);
    await untilCosigned(service, first, second);
    const file = await keepReceipt(service, actionId);
    const report = await runCli(['verify', file, '--key', LOG, '--witness', first.key], {});
    expect(report.status).toBe(0);
  });

  it('verify with a policy file that names the log, without --key', async () => {
    const actionId = await record(service, 'policy');
    await untilCosigned(service, first, second);
    const file = await keepReceipt(service, actionId);
    const withPolicy = (...lines: string[]) => {
      const policy = path.join(folder, 'policy');
      writeFileSync(policy, lines.map((line) => `${line}\n`).join(''));
      return runCli(['verify', file, '--policy', policy], {});
    };
    const absent = formatWitnessKey(toWitnessKey('absent', Buffer.alloc(32, 7)));
    // A rotated log has one line for each of its keys.
    const former = formatVerifierKey(toVerifierKey(LOG.split('+')[0] ?? '', Buffer.alloc(32, 8)));
    const logs = [
      `log ${former}`,
      `log ${LOG}`,
      `witness a ${first.key}`,
      `witness b ${second.key}`,
      `witness c ${absent}`,
    ];
    const accepted = await withPolicy(...logs, 'group any-two 2 a b c', 'quorum any-two');
    expect([accepted.status, accepted.stderr]).toEqual([0, '']);
    const refused = await withPolicy(...logs, 'group each all a b c', 'quorum each');
    expect([refused.status, refused.stderr]).toEqual([3, expect.stringContaining('belowQuorum')]);
    const faulty = await withPolicy(...logs);
    expect([faulty.status, faulty.stderr]).toEqual([2, expect.stringContaining('quorumMissing')]);
  });

  it('verify as tlog-proof with a quorum, or with a policy file that names the log, without --key', async () => {
    const actionId = await record(service, 'tlog-proof');
    await untilCosigned(service, first, second);
    const read = async (accept: string) => {
      const answer = await service.send(`/v1/action/${actionId}/receipt`, { headers: { accept } });
      return Buffer.from(await answer.arrayBuffer());
    };
    const { record: kept } = JSON.parse((await read('application/json')).toString());
    const file = path.join(folder, 'receipt.tlog-proof');
    writeFileSync(file, await read('text/x.tlog.proof'));
    const check = (...options: string[]) => runCli(['verify', file, '--digest', kept.digest, ...options], {});
    const absent = formatWitnessKey(toWitnessKey('absent', Buffer.alloc(32, 7)));
    const both = ['--key', LOG, '--witness', first.key, '--witness', second.key];
    const sound = await check(...both, '--quorum', '2');
    expect([sound.status, sound.stderr]).toEqual([0, '']);
    expect(sound.stdout.match(/^witness {6}\S+ at 20/gm)).toHaveLength(2);
    expect(sound.stdout).toMatch(/^as of {8}20\S+Z by the clock of 2 witnesses$/m);
    expect(sound.stdout).not.toContain('everybody the same tree');
    expect((await check('--key', LOG)).stdout).toContain('everybody the same tree');
    const below = await check(...both, '--witness', absent, '--json');
    expect([below.status, below.stderr]).toEqual([3, expect.stringContaining('2 of 3 required witnesses')]);
    expect(JSON.parse(below.stdout)).toMatchObject({
      verified: true,
      witnesses: { code: 'belowQuorum', missing: [{ name: 'absent' }] },
    });
    expect((await check(...both, '--witness', absent, '--quorum', '2')).status).toBe(0);
    const withPolicy = (...lines: string[]) => {
      const policy = path.join(folder, 'policy-of-proof');
      writeFileSync(policy, lines.map((line) => `${line}\n`).join(''));
      return check('--policy', policy);
    };
    const lines = [`log ${LOG}`, `witness a ${first.key}`, `witness b ${absent}`];
    expect((await withPolicy(...lines, 'group one any a b', 'quorum one')).status).toBe(0);
    const unwatched = await withPolicy(`log ${LOG}`, 'quorum none');
    expect([unwatched.status, unwatched.stdout]).toEqual([
      0,
      expect.stringContaining('everybody the same tree'),
    ]);
    const refused = await withPolicy(...lines, 'group each all a b', 'quorum each');
    expect([refused.status, refused.stderr]).toEqual([3, expect.stringContaining('belowQuorum')]);
    const statement = path.join(folder, 'receipt.cose');
    writeFileSync(statement, await read('application/cose'));
    const ofStatement = await runCli(['verify', statement, '--key', LOG, '--witness', first.key], {});
    expect([ofStatement.status, ofStatement.stderr]).toEqual([
      2,
      expect.stringContaining('has no checkpoint'),
    ]);
  });

  it('share the cosignatures of the log with proven bundles, which verify with both witnesses', async () => {
    const { cid } = await (await service.upload('bundle')).json();
    // The proof of version 1 adds a leaf, so the cosigned tree is larger than the one that version 2 needs.
    for (const version of [2, 1]) await service.send(`/v1/bundle/${cid}?proof=true&proofVersion=${version}`);
    await untilCosigned(service, first, second);
    const file = path.join(folder, 'bundle.json');
    writeFileSync(file, await (await service.send(`/v1/bundle/${cid}?proof=true`)).text());
    const witnesses = ['--witness', first.key, '--witness', second.key];
    const { status, stderr } = await runCli(['verify', file, '--key', LOG, ...witnesses], {});
    expect([status, stderr]).toEqual([0, '']);
  });

  it('get a cosignature for the newest anchored tree first, and then for the present tree', async () => {
    const { provenance: db } = service.context.databases;
    const list = async (witness: string) =>
      (await listUncosignedLogs(db, { keys: [witness], paused: [] }, 10))[0];
    for (const content of ['f', 'g', 'h']) await record(service, content);
    const newest = (await list('new'))?.size ?? 0;
    const [anchor, root] = [crypto.randomUUID(), Buffer.alloc(32)];
    await db.query(
      `insert into provenance.anchor (id, root, size, state, chain_id, chain_name, contract)
       values ($1, $2, 1, 'final', 1, 'test', '0x')`,
      [anchor, root],
    );
    for (const [size, proof] of [
      [newest - 3, '[]'],
      [newest - 2, '[]'],
      [newest - 1, null],
    ])
      await db.query(
        `insert into provenance.anchor_head (project_id, size, anchor_id, origin, place, path)
         values ($1, $2, $3, $4, 0, $5)`,
        [namedProjectId('one'), size, anchor, parseVerifierKey(LOG)?.name, proof],
      );
    expect((await list('new'))?.size).toBe(newest - 2);
    await db.query(
      `insert into provenance.cosignature (project_id, size, witness, line) values ($1, $2, 'new', '')`,
      [namedProjectId('one'), newest - 2],
    );
    expect(await list('new')).toMatchObject({ size: newest, witnesses: [{ key: 'new', size: newest - 2 }] });
    const paused = [{ key: 'new', projectId: namedProjectId('one') }];
    expect(await listUncosignedLogs(db, { keys: ['new'], paused }, 10)).toEqual([]);
    expect(await listUncosignedLogs(db, { keys: ['new', 'other'], paused }, 10)).toMatchObject([
      { witnesses: [{ key: 'other' }] },
    ]);
    // The limit of one log applies to each witness. `done` has cosigned the newest tree.
    await db.query(
      `insert into provenance.cosignature (project_id, size, witness, line) values ($1, $2, 'done', '')`,
      [namedProjectId('one'), newest],
    );
    expect(await listUncosignedLogs(db, { keys: ['new', 'done', 'other'], paused: [] }, 1)).toHaveLength(2);
    await db.query(`delete from provenance.cosignature where witness in ('new', 'done')`);
    await db.query('delete from provenance.anchor_head where anchor_id = $1', [anchor]);
    await db.query('delete from provenance.anchor where id = $1', [anchor]);
  });

  it('show an older tree with both cosignatures while one witness is stopped, in both formats', async () => {
    const actionId = await record(service, 'older');
    await untilCosigned(service, first, second);
    const { url } = second;
    await second.kill9();
    const late = await record(service, 'newer');
    await untilCosigned(service, first);

    const both = ['--witness', first.key, '--witness', second.key];
    const verifyFile = (file: string, more: string[]) => runCli(['verify', file, '--key', LOG, ...more], {});
    expect(await verifyFile(await keepReceipt(service, actionId), both)).toMatchObject({ status: 0 });
    const lateFile = await keepReceipt(service, late);
    expect(await verifyFile(lateFile, ['--witness', first.key])).toMatchObject({ status: 0 });
    expect(await verifyFile(lateFile, both)).toMatchObject({ status: 3 });
    const headers = { accept: 'text/x.tlog.proof' };
    const proof = await (await service.send(`/v1/action/${actionId}/receipt`, { headers })).text();
    const note = proof
      .split('\n')
      .slice(proof.split('\n').indexOf('') + 1)
      .join('\n');
    const policy = { witnesses: [first, second].map(({ key }) => toKey(key)), quorum: 2 };
    expect(verifyWitnesses(note, policy, verify)).toMatchObject({ verified: true, missing: [] });
    second = await startWitness(places[1] ?? '', [LOG], ['--port', new URL(url).port]);
  });

  it('use the newest tree with the most cosignatures of configured witnesses', async () => {
    const { provenance: db } = service.context.databases;
    const projectId = namedProjectId('two');
    const trees = { 5: ['a', 'b'], 6: ['a', 'b', 'former'], 7: ['b', 'former', 'other'], 8: ['a'] };
    for (const [size, witnesses] of Object.entries(trees))
      for (const witness of witnesses)
        await db.query(
          'insert into provenance.cosignature (project_id, size, witness, line) values ($1, $2, $3, $3)',
          [projectId, Number(size), witness],
        );
    const read = (minSize: number, witnesses: string[]) =>
      readCosignedTree(db, projectId, { minSize, witnesses });
    expect(await read(1, ['a', 'b'])).toEqual({ size: 6, lines: 'abformer' });
    expect(await read(1, ['a', 'b', 'away'])).toMatchObject({ size: 6 });
    expect(await read(7, ['a', 'b'])).toMatchObject({ size: 8 });
    expect(await read(1, ['b', 'other'])).toMatchObject({ size: 7 });
    expect(await read(1, ['away'])).toMatchObject({ size: 8 });
    expect(await read(1, [])).toMatchObject({ size: 8 });
    expect(await read(9, ['a', 'b'])).toBeUndefined();
    await db.query('delete from provenance.cosignature where project_id = $1', [projectId]);
  });

  it('get cosignatures again after the service lost them, from the size that the witness returns', async () => {
    await untilCosigned(service, first, second);
    await service.context.databases.provenance.query('delete from provenance.cosignature');
    await record(service, 'd');
    await untilCosigned(service, first, second);
  });

  it('get cosignatures again after a witness was killed and restarted', async () => {
    const { url, key } = first;
    await first.kill9();
    await record(service, 'e');
    await untilCosigned(service, second);
    first = await startWitness(places[0] ?? '', [LOG], ['--port', new URL(url).port]);
    expect(first.key).toBe(key);
    await untilCosigned(service, first, second);
  });
});

describe('a log that shows two trees', () => {
  let witness: WitnessProcess;
  let honest: Service;
  let forked: Service;

  beforeEach(async () => {
    witness = await startWitness(mkdtempSync(path.join(folder, 'split-')), [LOG]);
    honest = await start(listOf(witness));
    for (const content of ['a', 'b']) await record(honest, content);
    await untilCosigned(honest, witness);
  });
  afterEach(async () => {
    await Promise.all([honest.stop(), forked.stop(), witness.stop()]);
  });

  it.each([
    ['of the same size', ['x', 'y']],
    ['that is larger', ['x', 'y', 'z']],
    ['that is smaller: a rollback', ['a']],
  ])('gets no cosignature for a second tree %s, so this tree has no quorum', async (_, contents) => {
    const warn = vi.fn();
    forked = await start(listOf(witness));
    forked.context.logger.warn = warn;
    const actionIds = [];
    for (const content of contents) actionIds.push(await record(forked, content));
    await vi.waitFor(() => expect(warn.mock.calls.flat().join()).toContain('a witness did not cosign'), {
      timeout: 15_000,
    });
    const file = await keepReceipt(forked, actionIds.at(-1) ?? '');
    const accepted = await runCli(['verify', file, '--key', LOG], {});
    expect([accepted.status, accepted.stderr]).toEqual([0, '']);
    expect(accepted.stdout).toContain('everybody the same tree');
    const refused = await runCli(['verify', file, '--key', LOG, '--witness', witness.key], {});
    expect(refused.status).toBe(3);
    expect(refused.stderr).toContain('0 of 1 required witnesses');
    expect(await readCheckpoint(honest)).toContain(`— ${toKey(witness.key).name} `);
  });
});

describe('a witness that never answers', () => {
  it('delays no recording and no other witness for long, and /readyz and /metrics report it', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await vi.waitFor(() => expect(silent.listening).toBe(true), { timeout: 10_000 });
    const dead = `${DEAD} http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const witness = await startWitness(path.join(folder, 'beside-dead'), [LOG]);
    const service = await start(`${dead},${listOf(witness)}`);
    const note = vi.fn();
    Object.assign(service.context.logger, { warn: note, error: note });
    onTestFailed(() => void process.stderr.write(`The service noted ${JSON.stringify(note.mock.calls)}\n`));
    for (const content of ['a', 'b', 'c']) {
      const startedMs = performance.now();
      const actionId = await record(service, content);
      expect((await service.send(`/v1/action/${actionId}/receipt`)).status).toBe(200);
      expect(performance.now() - startedMs).toBeLessThan(RECORDING_MS);
    }
    await untilCosigned(service, witness);
    const readiness = await vi.waitFor(
      async () => {
        const { status, body } = await readReadiness(service);
        expect(body.checks.witnesses).toMatch(/^impaired: 1 of 2 witnesses do not answer: http:/);
        return status;
      },
      { timeout: 15_000, interval: 100 },
    );
    expect(readiness).toBe(200);
    const metrics = await (await service.send('/metrics')).text();
    expect(metrics).toContain('colophon_witnesses{state="silent"} 1');
    expect(metrics).toContain('colophon_witnesses{state="answered"} 1');
    const closedMs = performance.now();
    await service.stop();
    expect(performance.now() - closedMs).toBeLessThan(WITNESS_TIMEOUT_MS);
    await witness.stop();
    silent.closeAllConnections();
    silent.close();
  });
});
