import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { freePort } from '../support/free-port.js';
import { holdTable } from '../support/hold-table.js';
import { BOUNDARY, formOf, patternOf } from '../support/large-form.js';
import { createLedger, TENANTS } from '../support/ledger.js';
import { HAS_NGINX, startNginx } from '../support/nginx.js';
import { createMigratedDatabase } from '../support/postgres.js';
import { residentBytes, type ServiceProcess, startProcess, startTwo } from '../support/process.js';
import { jsonPost, KEY, MANAGEMENT_KEY, OTHER_KEY, toForm } from '../support/service.js';
import { openAll } from '../support/stop-all.js';

const SOON = { timeout: 10_000, interval: 20 };
const MEBIBYTE = 2 ** 20;
const CALLERS = 8;
const SAID = JSON.stringify({ entity: { role: 'human', name: 'Ann' } });
const CONFIGURATION = readFileSync(new URL('../../../../deploy/nginx.conf', import.meta.url), 'utf8');
const newCid = () => `sha256:${randomUUID().replaceAll('-', '').repeat(2)}`;

function configure(port: number, [one, other]: readonly [ServiceProcess, ServiceProcess]): string {
  const changed = [
    ['listen 3000;', `listen 127.0.0.1:${port};`],
    ['127.0.0.1:3001', new URL(one.base).host],
    ['127.0.0.1:3003', new URL(other.base).host],
  ] as const;
  return changed.reduce((all, [from, to]) => {
    expect(all.split(from), from).toHaveLength(2);
    return all.replace(from, to);
  }, CONFIGURATION);
}

/** The nodes share one database and one directory. */
async function startBehindNginx(environment: Record<string, string> = {}) {
  return openAll(async (stops) => {
    const directory = mkdtempSync(path.join(tmpdir(), 'colophon-proxied-'));
    stops.push(async () => rmSync(directory, { recursive: true }));
    const direct = await createMigratedDatabase(inject('postgresUrl'));
    const all = {
      ...TENANTS,
      DATABASE_URL: direct,
      DATA_DIR: directory,
      MANAGEMENT_API_KEY: MANAGEMENT_KEY,
      TRUST_PROXY: '127.0.0.1',
      ...environment,
    };
    const start = async () => startProcess({ ...all, ADMIN_PORT: String(await freePort()) });
    const nodes = await startTwo(start, stops);
    const port = await freePort();
    const nginx = await startNginx(configure(port, nodes), port);
    stops.push(nginx.stop);
    const base = `http://127.0.0.1:${port}`;
    const send = (target: string, init: RequestInit = {}) =>
      fetch(base + target, { ...init, headers: { authorization: `Bearer ${KEY}`, ...init.headers } });
    return { base, port, nginx, nodes, direct, drafts: path.join(directory, 'blobs', 'tmp'), send };
  });
}

async function digestOf(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

function openUpload(
  base: string,
  headers: Record<string, string> = {},
): { call: ClientRequest; answered: Promise<IncomingMessage> } {
  const call = request(`${base}/v1/activity`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${KEY}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      ...headers,
    },
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    call.once('response', resolve);
    call.once('error', reject);
  });
  answered.catch(() => {});
  return { call, answered };
}

async function readFrom(localAddress: string, url: string, headers: Record<string, string> = {}) {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const call = request(url, { localAddress, headers, agent: false });
    call.once('response', resolve).once('error', reject).end();
  });
  await text(answer);
  return answer.statusCode;
}

describe.skipIf(!HAS_NGINX)('two nodes behind nginx with deploy/nginx.conf', () => {
  let place: Awaited<ReturnType<typeof startBehindNginx>>;
  beforeAll(async () => {
    place = await startBehindNginx();
  });
  afterAll(() => place?.stop());

  const draftBytes = () =>
    readdirSync(place.drafts).reduce((sum, name) => sum + statSync(path.join(place.drafts, name)).size, 0);

  it('a file of 200 MB is uploaded and read with little memory, and nginx writes no copy to disk', async () => {
    for (let time = 0; time < 4; time++) {
      const { call, answered } = openUpload(place.base);
      await pipeline(Readable.from(formOf((16 + time) * MEBIBYTE, SAID)), call);
      await text(await answered);
    }
    const pids = [...place.nodes.map(({ pid }) => pid), place.nginx.worker()];
    const before = pids.map(residentBytes);
    const growth = pids.map(() => 0);
    const onDisk = new Set<string>();
    const watch = setInterval(() => {
      for (const [at, pid] of pids.entries())
        growth[at] = Math.max(growth[at] ?? 0, (residentBytes(pid) - (before[at] ?? 0)) / MEBIBYTE);
      for (const name of place.nginx.bodiesOnDisk()) onDisk.add(name);
    }, 10);
    const { call, answered } = openUpload(place.base);
    await pipeline(Readable.from(formOf(200_000_000, SAID)), call);
    const answer = await answered;
    const { cid } = JSON.parse(await text(answer));
    const content = await place.send(`/v1/resource/${cid}/content`);
    expect(await digestOf(content.body ?? [])).toBe(await digestOf(patternOf(200_000_000)));
    clearInterval(watch);
    const shown = growth.map((mebibytes) => mebibytes.toFixed(1));
    process.stdout.write(
      `200 MB through nginx: nodes +${shown[0]}, +${shown[1]} MiB, nginx +${shown[2]} MiB\n`,
    );
    expect(answer.statusCode).toBe(201);
    expect([...onDisk]).toEqual([]);
    expect(Math.max(...growth.slice(0, 2))).toBeLessThan(80);
    expect(growth[2]).toBeLessThan(16);
  });

  it('the service receives an upload while it is sent, and a broken upload leaves nothing', async () => {
    const { call } = openUpload(place.base);
    call.on('error', () => {});
    const content = randomBytes(4 * MEBIBYTE);
    const [head = Buffer.alloc(0)] = formOf(0, SAID);
    call.write(head);
    call.write(content);
    await expect.poll(draftBytes, SOON).toBeGreaterThan(3 * MEBIBYTE);
    call.destroy();
    await expect.poll(() => readdirSync(place.drafts), SOON).toEqual([]);
    const name = createHash('sha256').update(content).digest('hex');
    expect((await place.send(`/v1/bundle/sha256:${name}`)).status).toBe(404);
  });

  it('401 reaches a client that is still sending 48 MB', async () => {
    const body = toForm(Buffer.alloc(48_000_000), { entity: { role: 'human' } });
    const headers = { authorization: 'Bearer wrong' };
    const answers = Array.from({ length: 3 }, () =>
      place.send('/v1/activity', { method: 'POST', body, headers }),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([401, 401, 401]);
  });

  it('a read whose caller leaves ends in PostgreSQL', async () => {
    const held = await holdTable(place.direct, 'provenance.action');
    try {
      const leaving = new AbortController();
      const init = { signal: leaving.signal };
      const asked = [1, 2, 3].map(() => place.send(`/v1/bundle/${newCid()}`, init).catch(() => 'left'));
      await expect.poll(held.countWaiting, SOON).toBe(3);
      leaving.abort();
      expect(await Promise.all(asked)).toEqual(['left', 'left', 'left']);
      await expect.poll(held.countWaiting, SOON).toBe(0);
    } finally {
      await held.release();
    }
  });

  it('nginx forwards every path for callers, and no path for operators in any tested spelling', async () => {
    /** Only the service sets x-request-id. */
    const isForwarded = async (target: string) => {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        const call = request({ port: place.port, path: target, method: 'OPTIONS', agent: false });
        call.once('response', resolve).once('error', reject).end();
      });
      await text(answer);
      return answer.headers['x-request-id'] !== undefined;
    };
    const pathsOf = async (base: string) => {
      const { paths } = await (await fetch(`${base}/openapi.json`)).json();
      return Object.keys(paths).map((one) => one.replaceAll(/\{.*?\}/g, 'x'));
    };
    const documents = ['/', '/app', '/app/assets/x', '/docs', '/docs/records', '/openapi.json', '/llms.txt'];
    const callers = [...(await pathsOf(place.base)), ...documents];
    expect(callers.length).toBeGreaterThan(80);
    const queried = callers.map((one) => `${one}?a=/management`);
    const encoded = ['/v1/entity/a%2Fb', '/v1/entity/a%20b', '/entity/%2e%2e%20'];
    for (const target of [...callers, ...queried, ...encoded])
      expect([target, await isForwarded(target)]).toEqual([target, true]);

    const operators = ['/management', '/management/orgs', '/management/projects/x', '/metrics'];
    const spelled = operators.flatMap((one) => [
      one,
      `${one}?x=/v1/entities`,
      one.replace('/m', '/%6d'),
      one.replace('/m', '/%6D'),
      `/${one}`,
      `//v1/..${one}`,
      `/v1/..${one}`,
      `/v1/..%2f${one.slice(1)}`,
      `/app/%2e%2e${one}`,
      `${one}/../../v1/entities`,
      `${one}/..%2f..%2f..%2fv1%2fentities`,
      `${one}/../../../v1/x%20/v1/entities`,
      `http://localhost${one}`,
    ]);
    for (const target of spelled) expect([target, await isForwarded(target)]).toEqual([target, false]);
  });

  it('while a node stops, reads succeed, and a caller loses at most one POST', async () => {
    const ledger = createLedger();
    const load = ledger.load(place.base, CALLERS);
    const reads: number[] = [];
    let isReading = true;
    const reading = (async () => {
      while (isReading) reads.push((await place.send('/v1/log')).status);
    })();
    await ledger.untilAcknowledged(20);
    ledger.faultBegins();
    expect(await place.nodes[1].stop()).toBe(0);
    await ledger.untilAcknowledged(40);
    await load.stop();
    isReading = false;
    await reading;
    // When the node closes its port, the system resets waiting connections. nginx repeats no POST.
    const { 201: recorded = 0, gone = 0, ...others } = Object.fromEntries(ledger.statuses);
    expect(others).toEqual({});
    expect(recorded).toBeGreaterThan(0);
    expect(gone).toBeLessThanOrEqual(CALLERS);
    expect(new Set(reads)).toEqual(new Set([200]));
  });
});

describe.skipIf(!HAS_NGINX)('the address of a caller behind nginx', () => {
  const LIMIT = 6;
  let place: Awaited<ReturnType<typeof startBehindNginx>>;
  beforeAll(async () => {
    place = await startBehindNginx({ RATE_LIMIT_RPM: String(LIMIT), RATE_LIMIT_BURST: '0' });
  });
  afterAll(() => place?.stop());

  const wrong = { authorization: 'Bearer wrong' };
  const forged = () => ({ ...wrong, 'x-forwarded-for': `203.0.113.${Math.floor(Math.random() * 250)}` });
  /** Each node counts separately. */
  const UNTIL_BOTH_ARE_FULL = 6 * LIMIT;

  it('is limited separately, and a forged header has no effect', async () => {
    const target = `${place.base}/v1/entities`;
    for (let time = 0; time < UNTIL_BOTH_ARE_FULL; time++) await readFrom('127.0.0.2', target, forged());
    expect(await readFrom('127.0.0.2', target, forged())).toBe(429);
    expect(await readFrom('127.0.0.3', target, wrong)).toBe(401);
  });

  it('is the address of the connection, not of a forged header, for a caller that bypasses nginx', async () => {
    const target = `${place.nodes[0].base}/v1/entities`;
    for (let time = 0; time < LIMIT; time++) expect(await readFrom('127.0.0.4', target, forged())).toBe(401);
    expect(await readFrom('127.0.0.4', target, forged())).toBe(429);
  });

  it('shares its limit of connections with its /64 network if it is IPv6, and has its own if it is IPv4', async () => {
    const port = await freePort();
    // This machine has no IPv6 network, so a header names the address of each caller.
    const named = 'set_real_ip_from 127.0.0.0/8; real_ip_header X-Caller;';
    const limited = configure(port, place.nodes).replace('limit_conn clients 1000;', 'limit_conn clients 1;');
    const nginx = await startNginx(`${named}\n${limited}`, port);
    const base = `http://127.0.0.1:${port}`;
    const statusFrom = (caller: string) => readFrom('127.0.0.5', `${base}/healthz`, { 'x-caller': caller });
    const held = ['2001:db8:1:2::1', '::ffff:198.51.100.1', '198.51.100.2'].map((caller) => {
      const { call } = openUpload(base, { 'x-caller': caller });
      call.on('error', () => {}).flushHeaders();
      return call;
    });
    try {
      const isCounted = (caller: string) => expect.poll(() => statusFrom(caller), SOON).toBe(429);
      await isCounted('2001:db8:1:2:ffff::3');
      await isCounted('::ffff:198.51.100.1');
      await isCounted('198.51.100.2');
      const others = ['2001:db8:1:3::1', '::ffff:198.51.100.9', '198.51.100.3'];
      expect(await Promise.all(others.map(statusFrom))).toEqual([200, 200, 200]);
    } finally {
      for (const call of held) call.destroy();
      await nginx.stop();
    }
  });

  it('reads at a killed node get the answer of the other node; a POST there gets 502 and can be repeated', async () => {
    await place.send('/v1/entity', jsonPost({ id: 'ann', role: 'human' }));
    const held = await holdTable(place.direct, 'provenance.action');
    const headers = { authorization: `Bearer ${OTHER_KEY}` };
    const reads = [1, 2, 3, 4].map(() => place.send(`/v1/bundle/${newCid()}`, { headers }));
    await expect.poll(held.countWaiting, SOON).toBeGreaterThanOrEqual(2);
    const posts = [randomUUID(), randomUUID()].map((key) =>
      jsonPost({ performedBy: 'ann' }, { 'idempotency-key': key }),
    );
    const asked = posts.map((init) => place.send('/v1/action', init));
    await expect.poll(held.countWaiting, SOON).toBeGreaterThanOrEqual(4);
    await place.nodes[1].kill9();
    await held.release();
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, 502]);
    expect((await place.send('/v1/action', posts[statuses.indexOf(502)])).status).toBe(201);
  });
});
