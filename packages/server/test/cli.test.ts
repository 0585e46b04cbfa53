import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutControls } from '../src/cli/print.js';
import { type ServiceProcess, startProcess } from './support/process.js';
import { runCli } from './support/run-cli.js';
import { MANAGEMENT_KEY } from './support/service.js';

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const DOCUMENT = fileURLToPath(new URL('../../../docs/api/openapi.json', import.meta.url));

function colophon(argv: string[], environment: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...argv], {
    maxBuffer: 2 ** 23,
    env: { PATH: process.env.PATH, ...environment },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, stdout, stderr };
}

describe('colophon', () => {
  it('openapi: prints the committed document', () => {
    expect(colophon(['openapi']).stdout).toBe(readFileSync(DOCUMENT, 'utf8'));
  });

  it('doctor: prints how to install the absent decoders of sound, video and PDF', () => {
    const { stdout } = colophon(['doctor'], {
      FPCALC: 'off',
      FFMPEG: 'off',
      PDFTOPPM: 'off',
      PDFTOTEXT: 'off',
    });
    expect(stdout).toMatch(
      /^pdf +only identical bytes are found: .*no thumbnails .*apt-get install poppler-utils/m,
    );
    expect(stdout).toMatch(/^sound +only identical bytes are found: .*apt-get install libchromaprint-tools/m);
    expect(stdout).toMatch(/^video +only identical bytes are found: .*apt-get install ffmpeg/m);
  });

  it('doctor: prints the configuration without its secrets', () => {
    const { status, stdout } = colophon(['doctor'], {
      DATABASE_URL: 'postgresql://user:secret-1@db.example:5432/d?password=secret-2',
      API_KEYS: 'secret-key-3',
    });
    expect(status).toBe(0);
    expect(stdout).toContain('db.example');
    expect(stdout).not.toContain('secret');
  });

  it.each([
    [['nonsense'], {}, 'no command'],
    [['keys', 'destroy'], {}, 'list|create|rotate|revoke'],
    [['keys', '__proto__'], {}, 'list|create|rotate|revoke'],
    [['keys', 'create'], {}, 'keys create <project>'],
    [['keys', 'create', 'id', '--nosuch'], {}, '--nosuch'],
    [['keys', 'create', 'id', '--name', 'n', '--days', 'x'], {}, '--days'],
    [['keys', 'create', 'id'], { MANAGEMENT_API_KEY: 'x' }, '--name'],
    [['orgs', 'list'], {}, 'MANAGEMENT_API_KEY'],
    [['bundle', 'a', 'b'], {}, 'bundle <cid>'],
    [['bundle', 'a'], {}, 'COLOPHON_API_KEY'],
    [['bundle', 'a'], { COLOPHON_URL: 'ftp://x' }, 'COLOPHON_URL'],
    [['bundle', 'a'], { COLOPHON_URL: 'http://user:pw@localhost' }, 'COLOPHON_URL'],
    [['bundle', 'a'], { COLOPHON_API_KEY: 'schlüssel' }, 'COLOPHON_API_KEY'],
    [['orgs', 'list'], { MANAGEMENT_API_KEY: 'a b' }, 'MANAGEMENT_API_KEY'],
    [['orgs', 'list'], { MANAGEMENT_API_KEY: 'x', COLOPHON_USER: 'jörg' }, 'COLOPHON_USER'],
    [['orgs', 'delete', '..'], { MANAGEMENT_API_KEY: 'x' }, "'..'"],
    [['orgs', 'remove-member', 'planet', '.'], { MANAGEMENT_API_KEY: 'x' }, "'.'"],
    [['bundle', '..'], { COLOPHON_API_KEY: 'x' }, "'..'"],
    [['projects', 'show', 'planet'], { MANAGEMENT_API_KEY: 'x' }, 'id of a project'],
    [['nonsense', '--help'], {}, 'no command'],
    [['help', 'nonsense'], {}, 'no command'],
    [['record', 'a'], {}, '--name'],
    [['verify'], {}, 'verify <file>'],
    [['publish'], {}, 'a CID'],
    [['publish', 'a', '--list'], {}, 'a CID'],
    [['publish', 'a', '--days', '0'], {}, '--days'],
    [['publish', 'a', '--withhold', 'none', '--withhold', 'names'], {}, '--withhold'],
    [['verify', 'a', '--key', 'x'], {}, '--key'],
    [['read', '..'], { COLOPHON_API_KEY: 'x' }, "'..'"],
    [['search'], {}, '--text <text>'],
    [['search', 'a', '--cid', 'b'], {}, '--text <text>'],
    [['search', 'a', '--limit', 'x'], {}, '--limit'],
    [['iscc'], {}, 'iscc <file>'],
    [['iscc', 'a', '--description', 'x'], {}, '--title'],
    [['iscc', 'a', '--title', ' '], {}, '--title'],
    [['shares', 'a', '--total', '1.5'], {}, '--total'],
    [['receipt', 'a', '--kind', 'bundle'], {}, '--kind'],
    [['log', '--checkpoint', '--json'], {}, '--checkpoint'],
    [['sign', 'a'], {}, '--key-file'],
    [['record', 'a', '--name', 'Ann', '--tool', 'gpt'], {}, '--tool'],
    [['record', 'a', '--name', 'Ann', '--sign', 'b'], {}, '--entity'],
    [['migrate'], {}, 'DATA_DIR'],
    [['serve'], { PORT: 'x' }, 'PORT'],
    [['doctor'], { NODE_ENV: 'production' }, 'DATABASE_URL'],
  ])('exits with 2 for %j with %j, and names %s', async (argv, environment, named) => {
    const { status, stderr, stdout } = await runCli(argv, environment as Record<string, string>);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(named);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('exits with 1 if no service answers, and names the address', () => {
    const { status, stderr } = colophon(['orgs', 'list'], {
      COLOPHON_URL: 'http://127.0.0.1:1',
      MANAGEMENT_API_KEY: 'x',
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('http://127.0.0.1:1')]);
  });

  it.each([
    ['/', 'directory'],
    ['/nowhere/at/all', 'no such file'],
    ['/proc/self/mem', 'i/o error'],
  ])('exits with 1 for the file %s, and prints the reason', async (file, why) => {
    const silent = { COLOPHON_URL: 'http://127.0.0.1:1', COLOPHON_API_KEY: 'x' };
    for (const argv of [
      ['record', file, '--name', 'Ann'],
      ['verify', file],
    ]) {
      const isSent = argv[0] === 'record' && file.startsWith('/proc');
      const { status, stderr } = await runCli(argv, silent);
      expect([status, stderr]).toEqual([1, expect.stringContaining(isSent ? '127.0.0.1:1' : why)]);
    }
  });

  it('prints a failure as JSON on standard error with --json', () => {
    const { status, stdout, stderr } = colophon(['orgs', 'list', '--json']);
    expect([status, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr)).toEqual({
      error: { code: 'UsageError', message: 'Set MANAGEMENT_API_KEY first.' },
    });
  });

  it('prints the commands with --help and without arguments, and its version with --version', async () => {
    const print = async (...argv: string[]) => (await runCli(argv)).stdout;
    const help = await print('--help');
    for (const argv of [[], ['-h'], ['help']]) expect(await print(...argv)).toBe(help);
    const ofKeys = await print('keys', '--help');
    for (const argv of [
      ['keys', '-h'],
      ['help', 'keys'],
    ])
      expect(await print(...argv)).toBe(ofKeys);
    expect(ofKeys).toContain('keys create');
    expect(await print('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('colophon, with a server that is not the service', () => {
  const answers: Record<string, [number, string, string]> = {
    '/v1/bundle/page': [200, 'text/html', '<p>Welcome</p>'],
    '/v1/bundle/gateway': [502, 'text/html', '<p>Bad gateway</p>'],
    '/v1/bundle/other': [500, 'application/json', '{"message":"not like this"}'],
  };
  const server = createServer((request, response) => {
    const [status, type, text] = answers[request.url ?? ''] ?? [0, '', ''];
    response.writeHead(status, { 'content-type': type }).end(text);
  });
  let url = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it.each([
    ['page', 'status 200, text/html'],
    ['gateway', 'status 502, text/html'],
    ['other', 'status 500, application/json'],
  ])('reports the answer %s as unexpected, with the address of the server', async (cid, message) => {
    const environment = { COLOPHON_URL: url, COLOPHON_API_KEY: 'x' };
    const { status, stderr } = await runCli(['bundle', cid], environment);
    expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(stderr).toContain(url);
    expect(stderr).toContain('COLOPHON_URL');
  });

  it('replaces characters that control the terminal in the output of a service', () => {
    expect(withoutControls('\u001b[2Jone\ntwo\u009b\u202e')).toBe('\u{fffd}[2Jone\ntwo\u{fffd}\u{fffd}');
  });
});

describe('colophon, with a running service', () => {
  let directory: string;
  let service: ServiceProcess;
  let file: string;
  beforeAll(async () => {
    directory = mkdtempSync(path.join(tmpdir(), 'colophon-cli-'));
    file = path.join(directory, 'a "file" ü.bin');
    writeFileSync(file, Buffer.alloc(3_000_000, 'colophon'));
    service = await startProcess({ API_KEYS: '', MANAGEMENT_API_KEY: MANAGEMENT_KEY });
  });
  afterAll(async () => {
    expect(await service.stop()).toBe(0);
    rmSync(directory, { recursive: true });
  });

  const environmentOf = (key: string) => ({
    COLOPHON_URL: service.base,
    MANAGEMENT_API_KEY: MANAGEMENT_KEY,
    COLOPHON_API_KEY: key,
  });
  const parse = ({ status, stdout, stderr }: { status: number | null; stdout: string; stderr: string }) => {
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };
  const run = (argv: string[], key = '') => colophon(argv, environmentOf(key));
  const runJson = (argv: string[], key?: string) => parse(run([...argv, '--json'], key));
  const runInSession = (argv: string[], key = '') => runCli(argv, environmentOf(key));

  it('records a first file, shows its history and verifies it', () => {
    runJson(['orgs', 'create', 'news', '--name', 'The News']);
    const project = runJson(['projects', 'create', 'news', '--name', 'Front page']);
    const { key } = runJson(['keys', 'create', project.id, '--name', 'cli', '--permission', 'write']);
    const source = runJson(['record', file, '--name', 'Ann', '--type', 'reference'], key);
    writeFileSync(`${file}.2`, 'made of it');
    const made = runJson(
      ['record', `${file}.2`, '--entity', 'ai:1', '--role', 'ai', '--input', source.cid],
      key,
    );
    const bundle = run(['bundle', made.cid], key).stdout;
    const old = colophon(['bundle', made.cid], { COLOPHON_URL: service.base, COLOPHON_KEY: key });
    expect(old).toMatchObject({ status: 0, stdout: bundle });
    expect(old.stderr).toBe('Warning: COLOPHON_KEY is an old name: set COLOPHON_API_KEY instead.\n');
    expect(bundle).toMatch(/WHEN +WHAT +WHO/);
    expect(bundle.split('\n').filter((line) => line.startsWith('20'))).toEqual([
      expect.stringMatching(new RegExp(`reference +Ann .*${source.cid}`)),
      expect.stringMatching(new RegExp(`create +ai:1 .*${source.cid} +${made.cid}`)),
    ]);
    expect(run(['verify', file], key)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(source.cid),
    });
    writeFileSync(`${file}.3`, 'never recorded');
    const unknown = JSON.parse(run(['verify', `${file}.3`, '--json'], key).stdout).cid;
    expect(run(['record', `${file}.2`, '--name', 'Bo', '--input', unknown], key).status).toBe(1);
    writeFileSync(`${file}.4`, 'says that it was made of it');
    runJson(['record', `${file}.4`, '--name', 'Bo', '--input', unknown], key);
    const named = run(['verify', `${file}.3`], key);
    expect(named).toMatchObject({ status: 3, stderr: expect.stringContaining('only named as an input') });
    appendFileSync(file, 'x');
    const changed = run(['verify', file, '--json'], key);
    expect([changed.status, JSON.parse(changed.stdout).recorded]).toEqual([3, false]);
  });

  it('verifies a receipt with only the file and the key', async () => {
    runJson(['orgs', 'create', 'proof', '--name', 'Proof']);
    const project = runJson(['projects', 'create', 'proof', '--name', 'Receipts']);
    const { key } = runJson(['keys', 'create', project.id, '--name', 'cli', '--permission', 'write']);
    const made = runJson(['record', file, '--name', 'Bo'], key);
    const read = async (place: string) =>
      (await fetch(service.base + place, { headers: { authorization: `Bearer ${key}` } })).text();
    const receipt = path.join(directory, 'receipt.json');
    writeFileSync(receipt, await read(`/v1/action/${made.actionId}/receipt`));
    const { verifierKey, publicKey, origin } = JSON.parse(await read('/v1/log'));
    for (const known of [verifierKey, publicKey]) {
      const { status, stdout } = colophon(['verify', receipt, '--key', known]);
      expect([status, stdout]).toEqual([0, expect.stringContaining(origin)]);
    }
    writeFileSync(receipt, readFileSync(receipt, 'utf8').replace('"create"', '"verify"'));
    const changed = colophon(['verify', receipt, '--key', verifierKey, '--json']);
    expect([changed.status, JSON.parse(changed.stdout).code]).toEqual([3, 'digestMismatch']);
    writeFileSync(receipt, 'not JSON');
    expect(colophon(['verify', receipt, '--key', verifierKey]).status).toBe(3);
  });

  it('manages members and keys, and replaces control characters in its output', async () => {
    const run = runInSession;
    const runJson = async (argv: string[]) => parse(await run([...argv, '--json']));
    await runJson(['orgs', 'create', 'press', '--name', 'Press']);
    await runJson(['orgs', 'add-member', 'press', 'bob', '--role', 'viewer']);
    expect((await run(['orgs', 'members', 'press'])).stdout).toMatch(
      /USER +ROLE[\s\S]*operator +owner[\s\S]*bob +viewer/,
    );
    const project = await runJson(['projects', 'create', 'press', '--name', 'Right\u202eleft']);
    expect((await run(['projects', 'list', 'press'])).stdout).toContain('Right\u{fffd}left');
    const made = await runJson(['keys', 'create', project.id, '--name', 'first', '--days', '3']);
    const next = await runJson(['keys', 'rotate', made.id, '--overlap', '0']);
    expect((await run(['keys', 'revoke', next.id])).stdout).toBe('The key is revoked.\n');
    const again = await run(['keys', 'revoke', next.id]);
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('revoked already')]);
    expect(await runJson(['keys', 'list', project.id])).toHaveLength(2);
    await run(['orgs', 'remove-member', 'press', 'bob']);
    expect((await run(['orgs', 'audit', 'press'])).stdout.split('\n')[1]).toContain('member.remove');
    expect((await run(['orgs', 'audit', 'press', '--limit', '1'])).stdout).toMatch(
      /member.remove[\s\S]*There are more/,
    );
    expect((await run(['bundle', 'x\u001b[2J'], made.key)).stderr).not.toContain('\u001b');
    expect((await run(['projects', 'delete', project.id])).stdout).toContain('keys stop working');
    expect((await run(['orgs', 'delete', 'press'])).stdout).toContain('press is deleted');
  });
});
