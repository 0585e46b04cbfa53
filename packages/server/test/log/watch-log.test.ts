import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { formatVerifierKey, parseCheckpoint, TILE_WIDTH, toVerifierKey } from '@colophon/model';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { readLeaves } from '../../src/cli/watch/check-log.js';
import { openCheckpointHistory } from '../../src/cli/watch/checkpoint-history.js';
import { EMPTY_FRONTIER } from '../../src/cli/watch/leaf-frontier.js';
import { openNotifier } from '../../src/cli/watch/notify-webhook.js';
import { openTileLog } from '../../src/cli/watch/tile-log.js';
import { startReceiver } from '../support/receiver.js';
import { runCli } from '../support/run-cli.js';
import { ANY_ENGINE, jsonPost, KEY, type Service, startService } from '../support/service.js';

/** Two services with one name and key are one log to a reader. */
const ONE_LOG = {
  SERVER_SIGNING_KEY: 'ab'.repeat(32),
  PUBLIC_URL: 'https://log.example.org',
  PUBLIC_LOGS: 'all',
};
const folder = mkdtempSync(path.join(tmpdir(), 'colophon-watch-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function record(service: Service, count: number, from = 0): Promise<void> {
  const toEntity = (_: unknown, place: number) => ({ id: `maker ${from + place}`, role: 'human' });
  const entities = Array.from({ length: count }, toEntity);
  expect((await service.send('/v1/batch', jsonPost({ entities, actions: [] }))).status).toBeLessThan(300);
}

/** `change` alters the bytes of tiles. */
async function startProxy(target: string, change: (bytes: Buffer) => Buffer): Promise<Server> {
  const server = createServer(async ({ url = '', headers }, response) => {
    const { authorization = '' } = headers;
    const answer = await fetch(target + url, { headers: { authorization } });
    const bytes = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(url.includes('/tile/') ? change(bytes) : bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function readPublicGrowth({ base }: Service, output: string): Promise<number> {
  const answer = await fetch(`${base}/log/${namedProjectId('one')}/checkpoint`);
  const size = parseCheckpoint(await answer.text())?.size ?? 0;
  return size - Number(/(\d+) leaves/.exec(output)?.[1]);
}

const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

describe('`colophon log watch`', () => {
  let honest: Service;
  let other: Service;
  const watch = (directory: string, service: string, ...more: string[]) =>
    runCli(['log', 'watch', '--once', '--dir', path.join(folder, directory), ...more], {
      COLOPHON_URL: service,
      COLOPHON_API_KEY: KEY,
    });

  beforeAll(async () => {
    honest = await startService(ANY_ENGINE, { environment: ONE_LOG });
    other = await startService(ANY_ENGINE, { environment: ONE_LOG });
    await record(honest, 300);
    await record(other, 5, 1_000);
  });
  afterAll(async () => {
    await honest.stop();
    await other.stop();
  });

  it('accepts a log that only grows, and reads each of its leaves once', async () => {
    const first = await watch('grows', honest.base);
    expect([first.status, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toContain('300 leaves, 300 new, consistent; 300 leaves read');
    await record(honest, 7, 300);
    const next = await watch('grows', honest.base);
    expect(next.stdout).toContain('307 leaves, 7 new, consistent; 307 leaves read');
    expect((await watch('grows', honest.base)).stdout).toContain('307 leaves, 0 new');
  });

  it('reports leaves that are missing, changed, or different at another address, with evidence', async () => {
    const evidence = async (directory: string, code: string, ...more: string[]) => {
      const { status, stderr } = await watch(directory, other.base, ...more);
      expect([status, stderr]).toEqual([3, expect.stringContaining(code)]);
      const file = readdirSync(path.join(folder, directory)).find((name) => name.startsWith('evidence-'));
      return readFileSync(path.join(folder, directory, file ?? ''), 'utf8');
    };
    await watch('other tree', honest.base);
    const notes = await evidence('other tree', 'inconsistent');
    expect(notes).toMatch(/^inconsistent at http/);
    const [, ...signed] = notes.split(/(?=^log\.example\.org\/log)/m);
    expect(signed.map((note) => parseCheckpoint(note.replace(/\n\n$/, '\n'))?.size)).toEqual([300 + 7, 5]);
    await record(other, 302, 2_000);
    await watch('same size', honest.base);
    await evidence('same size', 'splitView');
    await evidence('both', 'splitView', '--from', honest.base);
    await record(other, 10, 3_000);
    await watch('larger', honest.base);
    await evidence('larger', 'inconsistent');
    // The stored checkpoint is still the one of the honest log.
    expect((await watch('larger', other.base)).status).toBe(3);
    expect((await watch('larger', honest.base)).status).toBe(0);
  });

  it('reports leaves that do not lead to the signed root', async () => {
    const flip = await startProxy(honest.base, (bytes) => {
      bytes[40] = (bytes[40] ?? 0) ^ 1;
      return bytes;
    });
    const cut = await startProxy(honest.base, (bytes) => bytes.subarray(32));
    for (const proxy of [flip, cut]) {
      const { status, stderr } = await watch('tiles', addressOf(proxy));
      expect([status, stderr]).toEqual([3, expect.stringContaining('otherLeaves')]);
      proxy.close();
    }
    expect((await watch('tiles', honest.base)).status).toBe(0);
  });

  it('stores nothing of a wrong tile, even if the checkpoint covers further tiles', async () => {
    const log = openTileLog(`${honest.base}/log/${namedProjectId('one')}`);
    const checkpoint = parseCheckpoint(await log.checkpoint());
    if (checkpoint === undefined) throw new Error('no checkpoint');
    const wrong = { ...log, tile: async () => Buffer.alloc(TILE_WIDTH * 32, 7) };
    const options = { frontier: EMPTY_FRONTIER, maxTiles: 1 };
    expect(await readLeaves(wrong, checkpoint, options)).toEqual({
      ...{ frontier: EMPTY_FRONTIER, fault: 'otherLeaves' },
    });
    expect(await readLeaves(log, checkpoint, options)).toMatchObject({
      frontier: { size: TILE_WIDTH },
      fault: undefined,
    });
  });

  it('reads the full tile when a public log has deleted the partial tile', async () => {
    const prefix = `${honest.base}/log/${namedProjectId('one')}`;
    const width = 3;
    const partial = await openTileLog(prefix).tile({ level: 0, index: 0, width });
    const pruned = createServer(async ({ url = '' }, response) => {
      if (url.includes('.p/')) return void response.writeHead(404).end();
      response.end(Buffer.from(await (await fetch(prefix + url)).arrayBuffer()));
    });
    await new Promise<void>((resolve) => pruned.listen(0, '127.0.0.1', resolve));
    expect(await openTileLog(addressOf(pruned)).tile({ level: 0, index: 0, width })).toEqual(partial);
    expect(partial.length).toBe(width * 32);
    pruned.close();
  });

  describe('with an address that shows an earlier state', () => {
    const mirrorsOf = async (directory: string) => {
      await watch(directory, honest.base);
      const early = await (await honest.send('/v1/log/checkpoint')).text();
      await record(honest, 1, 10_000 + Math.floor(Math.random() * 1e9));
      return early;
    };
    const startLagging = async (checkpoint: () => string) => {
      const server = createServer(async ({ url = '', headers }, response) => {
        if (url.endsWith('/checkpoint')) return void response.end(checkpoint());
        const { authorization = '' } = headers;
        const answer = await fetch(honest.base + url, { headers: { authorization } });
        response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
        response.end(Buffer.from(await answer.arrayBuffer()));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return server;
    };

    it('accepts a mirror that is behind, whether the command saw that state before or not', async () => {
      const early = await mirrorsOf('behind');
      await record(honest, 1, 2e9);
      const between = await (await honest.send('/v1/log/checkpoint')).text();
      await record(honest, 1, 3e9);
      for (const [note, lacks] of [
        [early, 3],
        [between, 1],
      ] as const) {
        const mirror = await startLagging(() => note);
        const report = await watch('behind', honest.base, '--from', addressOf(mirror));
        expect([report.status, report.stderr]).toEqual([0, '']);
        expect(report.stdout).toMatch(new RegExp(`${addressOf(mirror)}: .*, behind by ${lacks}, consistent`));
        mirror.close();
      }
      expect(readdirSync(path.join(folder, 'behind')).join()).not.toContain('evidence');
      const history = readFileSync(path.join(folder, 'behind', 'history.txt'), 'utf8');
      const sizes = history.split(/^# .*\n/m).map((note) => parseCheckpoint(note.slice(0, -1))?.size);
      expect(sizes.slice(1)).toEqual([...new Set(sizes.slice(1))].sort((a = 0, b = 0) => a - b));
      expect(history).toContain(early);
    });

    it('reads the leaves at the first address, also while this address is behind', async () => {
      let note = await mirrorsOf('before');
      const between = await (await honest.send('/v1/log/checkpoint')).text();
      await record(honest, 1, 4e9);
      const lagging = await startLagging(() => note);
      const round = () => watch('first behind', addressOf(lagging), '--from', honest.base);
      const read = (text: string) => `${parseCheckpoint(text)?.size} leaves read`;
      expect((await round()).stdout).toContain(read(note));
      note = between;
      expect((await round()).stdout).toContain(`behind by 1, consistent; ${read(note)}`);
      lagging.close();
    });

    it('reports a rollback at an address that stays behind its own newest state for five rounds', async () => {
      const early = await mirrorsOf('same address');
      const late = await (await honest.send('/v1/log/checkpoint')).text();
      let note = late;
      const address = await startLagging(() => note);
      const round = async () => {
        const { status, stdout, stderr } = await watch('same address', addressOf(address));
        return status === 0 ? stdout : stderr;
      };
      expect(await round()).toContain('new, consistent');
      note = early;
      for (let count = 0; count < 2; count++) expect(await round()).toContain('behind by 1,');
      note = late;
      expect(await round()).toContain('new, consistent');
      note = early;
      for (let count = 0; count < 4; count++) expect(await round()).toContain('behind by 1,');
      expect(await round()).toContain('rollback');
      expect(await round()).toContain('rollback');
      address.close();
    });

    it('reports a rollback at once without a proof that the smaller tree is an earlier state', async () => {
      await record(honest, 20, 4e9);
      await watch('restored', honest.base);
      const notes = [await (await honest.send('/v1/log/checkpoint')).text()];
      notes.push(await (await other.send('/v1/log/checkpoint')).text());
      const sizes = notes.map((note) => parseCheckpoint(note)?.size ?? 0);
      expect(sizes[1]).toBeLessThan(sizes[0] ?? 0);
      let place = 0;
      const address = await startLagging(() => notes[place] ?? '');
      expect((await watch('restored', addressOf(address))).status).toBe(0);
      place = 1;
      const { status, stderr } = await watch('restored', addressOf(address));
      expect([status, stderr]).toEqual([3, expect.stringContaining('rollback')]);
      address.close();
    });

    it('keeps the newest checkpoints in the history, and deletes the oldest', async () => {
      const file = path.join(folder, 'bounded.txt');
      const history = openCheckpointHistory(file, 2);
      const note = (size: number) =>
        `log.example.org\n${size}\n${Buffer.alloc(32, size).toString('base64')}\n\n— log.example.org ${Buffer.alloc(68, 1).toString('base64')}\n`;
      for (const size of [1, 2, 3, 4, 5]) await history.append(note(size), 'https://log.example.org');
      expect(await history.readOfSize('log.example.org', 1)).toBeUndefined();
      expect((await history.readOfSize('log.example.org', 5))?.root).toEqual(new Uint8Array(32).fill(5));
      expect(await history.readOfSize('other.example.org', 5)).toBeUndefined();
    });

    it('keeps a note as one checkpoint, although its extension lines imitate another checkpoint', async () => {
      const history = openCheckpointHistory(path.join(folder, 'imitated'));
      const origin = 'log.example.org';
      const stateOf = (size: number) => `${origin}\n${size}\n${Buffer.alloc(32, size).toString('base64')}\n`;
      const signature = `\n\u2014 ${origin} ${Buffer.alloc(68, 1).toString('base64')}\n`;
      for (const [at, start] of ['# ', '\\# ', 'x\u2028# '].entries()) {
        const size = 10 + at;
        const extensions = `${start}2026-01-01T00:00:00.000Z https://${origin}\n${stateOf(3)}`;
        await history.append(stateOf(size) + extensions + signature, `https://${origin}`);
        expect(await history.readOfSize(origin, 3)).toBeUndefined();
        const known = await history.readOfSize(origin, size);
        expect(known?.root).toEqual(new Uint8Array(32).fill(size));
        expect(known?.note.text).toBe(stateOf(size) + extensions);
      }
    });
  });

  it('stores the key at the first start, and accepts no other key', async () => {
    const { verifierKey } = await (await honest.send('/v1/log')).json();
    await watch('key', honest.base);
    expect(readFileSync(path.join(folder, 'key', 'log-key'), 'utf8')).toBe(`${verifierKey}\n`);
    const other = formatVerifierKey(toVerifierKey(verifierKey.split('+')[0], Buffer.alloc(32, 9)));
    const { status, stderr } = await watch('key', honest.base, '--key', other);
    expect([status, stderr]).toEqual([3, expect.stringContaining('untrustedKey')]);
    const unnamed = await watch('key', honest.base, '--key', 'ab'.repeat(32));
    expect([unnamed.status, unnamed.stderr]).toEqual([2, expect.stringContaining('<origin>+')]);
    expect((await watch('key', honest.base)).status).toBe(0);
  });

  it('posts a signed message with the checkpoints for a fault, and uses the same id for the same fault', async () => {
    const receiver = await startReceiver();
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const secretFile = path.join(folder, 'secret');
    writeFileSync(secretFile, `${secret}\n`);
    const hook = ['--webhook', receiver.url, '--webhook-secret-file', secretFile];
    await watch('webhook', honest.base, ...hook);
    expect(receiver.received).toHaveLength(0);
    const answer = receiver.answer;
    receiver.answer = (response) => {
      receiver.answer = answer;
      response.writeHead(503).end();
    };
    const { status, stderr } = await watch('webhook', other.base, ...hook);
    expect([status, stderr]).toEqual([3, expect.stringContaining('status 503; only 2xx is accepted. Next')]);
    expect((await watch('webhook', other.base, ...hook)).status).toBe(3);
    const [failed, repeated, later] = await receiver.until(3);
    if (failed === undefined || repeated === undefined || later === undefined) throw new Error('no message');
    const message = new Webhook(secret).verify(repeated.body, repeated.headers as Record<string, string>);
    expect(message).toMatchObject({
      type: 'log.fault',
      data: { fault: expect.stringMatching(/^(?:rollback|splitView|inconsistent)$/), address: other.base },
    });
    expect(
      (message as { data: { checkpoints: string[] } }).data.checkpoints.map(parseCheckpoint),
    ).toMatchObject([
      { origin: expect.stringContaining('log.example.org/log') },
      { origin: expect.stringContaining('log.example.org/log') },
    ]);
    const idOf = ({ headers }: { headers: Record<string, unknown> }) => headers['webhook-id'];
    expect([idOf(repeated), idOf(later)]).toEqual([idOf(failed), idOf(failed)]);
    await receiver.close();
  });

  it('sends no further request after the last attempt, after the status 410, and after it is stopped', async () => {
    const receiver = await startReceiver();
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    const finding = { fault: 'rollback', origin: 'log.example.org', address: 'x', notes: [] } as const;
    const attempts = async (status: number, pausesMs: number[], stopping = new AbortController().signal) => {
      receiver.received.length = 0;
      receiver.answer = (response) => void response.writeHead(status).end();
      await (await openNotifier({ url: receiver.url, secret, secretFile: undefined }, pausesMs))(
        finding,
        stopping,
      );
      return receiver.received.length;
    };
    expect(await attempts(500, [1, 1])).toBe(3);
    expect(await attempts(302, [])).toBe(1);
    expect(await attempts(410, [60_000])).toBe(1);
    const stopping = new AbortController();
    const attempted = attempts(500, [60_000], stopping.signal);
    await receiver.until(1);
    stopping.abort();
    expect(await attempted).toBe(1);
    await receiver.close();
  });

  it('checks a public log by its tiles, without an API key', async () => {
    const { verifierKey } = await (await honest.send('/v1/log')).json();
    const watchTiles = (base: string, ...more: string[]) => {
      const address = `${base}/log/${namedProjectId('one')}/`;
      return runCli(
        ['log', 'watch', '--once', '--dir', path.join(folder, 'public'), '--tiles', address, ...more],
        {},
      );
    };
    const keyless = await watchTiles(honest.base);
    expect([keyless.status, keyless.stderr]).toEqual([2, expect.stringContaining('--tiles needs --key')]);
    const first = await watchTiles(honest.base, '--key', verifierKey);
    expect([first.status, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toMatch(/: (\d+) leaves, \1 new, consistent; \1 leaves read/);
    await record(honest, 260, 4_000);
    const untilGrown = () => readPublicGrowth(honest, first.stdout);
    await expect.poll(untilGrown, { timeout: 10_000 }).toBe(260);

    const changed = await startProxy(honest.base, (bytes) => bytes.fill(7));
    const refused = await watchTiles(addressOf(changed));
    expect([refused.status, refused.stderr]).toEqual([3, expect.stringContaining('inconsistent')]);
    changed.close();
    const next = await watchTiles(honest.base);
    expect([next.status, next.stdout]).toEqual([0, expect.stringContaining('260 new, consistent')]);
    const asArgument = await runCli(
      [
        'log',
        'watch',
        `${honest.base}/log/${namedProjectId('one')}`,
        '--once',
        '--dir',
        path.join(folder, 'public'),
      ],
      {},
    );
    expect([asArgument.status, asArgument.stdout]).toEqual([0, expect.stringContaining('0 new, consistent')]);
    const closed = await watchTiles(`${honest.base}/v1`);
    expect([closed.status, closed.stderr]).toEqual([1, expect.stringContaining('returned 40')]);
  });

  it('reports a service that does not respond, and invalid options', async () => {
    writeFileSync(path.join(folder, 'no-secret'), 'whsec_dG9vIHNob3J0');
    expect((await watch('grows', 'http://127.0.0.1:1')).status).toBe(1);
    for (const option of [
      ['--interval', '0'],
      ['--from', 'nowhere'],
      ['--tiles', 'nowhere'],
      ['--key', 'x'],
      ['--webhook', 'https://example.org'],
      ['--webhook', 'ftp://example.org', '--webhook-secret-file', path.join(folder, 'secret')],
      ['--webhook-secret-file', path.join(folder, 'secret')],
      ['--webhook', 'https://example.org', '--webhook-secret-file', path.join(folder, 'no-secret')],
    ])
      expect((await watch('options', honest.base, ...option)).status, option.join(' ')).toBe(2);
    const { stderr } = await runCli(['log', 'watch'], {});
    expect(stderr).toContain('--dir');
  });
});
