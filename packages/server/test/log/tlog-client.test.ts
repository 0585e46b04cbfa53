import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { GO_PATH, HAS_GO_CLIENT } from '../support/programs.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';
import { startWitness, type WitnessProcess } from '../support/witness.js';

const SOURCE = fileURLToPath(new URL('tlog-client/main.go', import.meta.url));
const OTHER_VKEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
/** 10 full tiles and a part of an eleventh tile. */
const LEAVES = 2_600;
const BATCH = 650;

const runFile = promisify(execFile);

/** golang.org/x/mod/sumdb is the client of Go's checksum database. */
describe.runIf(HAS_GO_CLIENT)('a public log, read by a client in Go', () => {
  let folder: string;
  let client: string;
  let witness: WitnessProcess;
  let service: Service;
  let vkey: string;
  const address = () => `${service.base}/log/${namedProjectId('one')}`;
  const read = async (...argv: string[]) => {
    const done = await runFile(client, argv).catch((error: { stderr: string }) => error);
    return 'stdout' in done && done.stdout !== '' ? JSON.parse(done.stdout) : done.stderr;
  };

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'colophon-tlog-'));
    client = path.join(folder, 'tlog-client');
    execFileSync('go', ['build', '-o', client, SOURCE], {
      env: {
        PATH: process.env.PATH,
        GO111MODULE: 'off',
        GOPATH: GO_PATH,
        GOCACHE: path.join(folder, 'cache'),
      },
    });
    const seed = '6d'.repeat(32);
    const environment = { SERVER_SIGNING_KEY: seed, PUBLIC_LOGS: 'all' };
    const keyed = await startService(ANY_ENGINE, { environment });
    ({ verifierKey: vkey } = await (await keyed.send('/v1/log')).json());
    await keyed.stop();
    witness = await startWitness(path.join(folder, 'witness'), [vkey]);
    service = await startService(ANY_ENGINE, {
      environment: { ...environment, WITNESSES: `${witness.key} ${witness.url}`, WITNESS_INTERVAL: '1' },
    });
    for (let first = 0; first < LEAVES; first += BATCH) {
      const entities = Array.from({ length: BATCH }, (_, place) => ({
        id: `e${first + place}`,
        role: 'human',
      }));
      const answer = await service.send('/v1/batch', jsonPost({ entities }));
      expect(answer.status, await answer.clone().text()).toBeLessThan(300);
    }
  });
  afterAll(async () => {
    await service?.stop();
    await witness?.stop();
    rmSync(folder, { recursive: true });
  });

  /** With a fault, the path of the last proof has another hash. */
  const writeProofs = async (name: string, fault?: 'Inclusion' | 'Consistency') => {
    const ask = async (query: string) => (await service.send(`/v1/log/${query}`)).json();
    const Inclusion = [];
    const Consistency = [];
    for (const size of [1, 2, 255, 256, 257, 512, 1_000, LEAVES]) {
      for (const Index of new Set([0, size >> 1, size - 1])) {
        const { inclusionPath: Path } = await ask(`inclusion?leafIndex=${Index}&size=${size}`);
        Inclusion.push({ Index, Size: size, Path });
      }
      const { consistencyPath: Path } = await ask(`consistency?from=${size}&to=${LEAVES}`);
      Consistency.push({ From: size, To: LEAVES, Path });
    }
    const all = { Inclusion, Consistency };
    if (fault) {
      const { Path } = all[fault].findLast((one) => one.Path.length > 0) ?? { Path: [] };
      Path[0] = Buffer.alloc(32).toString('base64');
    }
    const file = path.join(folder, name);
    writeFileSync(file, JSON.stringify(all));
    return file;
  };

  it('has a checkpoint, tiles, entries and proofs that verify, also with the cosignature of a witness', async () => {
    const cosigned = async () => (await fetch(`${address()}/checkpoint`)).text();
    const [name = ''] = witness.key.split('+');
    await expect.poll(cosigned, { timeout: 30_000 }).toMatch(new RegExp(`\\n${LEAVES}\\n[^]*— ${name} `));
    const result = await read(address(), vkey, await writeProofs('proofs'));
    expect(result).toEqual({
      origin: vkey.split('+')[0],
      size: LEAVES,
      // Level 0 of the hashes and the entries each have 10 full tiles and a partial tile. Level 1 has a partial tile.
      ...{ fullTiles: 2 * 10, partialTiles: 2 + 1 },
      ...{ records: LEAVES, inclusions: 372, consistencies: 372 },
      ...{ ownInclusion: 21, ownConsistency: 8 },
    });
  });

  it('is rejected with the key of another log, and with a wrong proof of the service', async () => {
    expect(await read(address(), OTHER_VKEY)).toContain('note has no verifiable signatures');
    expect(await read(address(), vkey, await writeProofs('inclusion', 'Inclusion'))).toContain(
      'own proof of record 2599 in 2600: invalid transparency proof',
    );
    expect(await read(address(), vkey, await writeProofs('consistency', 'Consistency'))).toContain(
      'own proof from 1000 to 2600: invalid transparency proof',
    );
  });

  it('is rejected when one byte of a tile, of an entry or of the checkpoint differs', async () => {
    // Versions of Go's package differ in which check finds a changed tile.
    const changed: [path: string, message: RegExp][] = [
      ['tile/0/003', /inconsistent tile|entry 1023 does not have the leaf hash/],
      ['tile/1/000.p/10', /inconsistent tile/],
      ['tile/0/010.p/40', /inconsistent tile/],
      ['tile/entries/003', /the entries do not lead to the root/],
      ['checkpoint', /invalid signature/],
    ];
    for (const [changedPath, message] of changed) {
      const mirror = createServer(async ({ url = '' }, response) => {
        const answer = await fetch(address() + url);
        const bytes = Buffer.from(await answer.arrayBuffer());
        const at = url === '/checkpoint' ? bytes.indexOf('\n') + 1 : bytes.length - 1;
        if (url === `/${changedPath}`) bytes[at] = (bytes[at] ?? 0) ^ 1;
        response.writeHead(answer.status).end(bytes);
      }).listen(0, '127.0.0.1');
      await once(mirror, 'listening');
      const { port } = mirror.address() as AddressInfo;
      expect(await read(`http://127.0.0.1:${port}`, vkey), changedPath).toMatch(message);
      mirror.closeAllConnections();
      mirror.close();
    }
  });
});
