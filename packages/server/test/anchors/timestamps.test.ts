import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  parseCheckpoint,
  parseTrustedLog,
  type ReceiptReport,
  type Timestamp,
  type TrustedLog,
  type VerifyToken,
} from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVerifySignature } from '../../src/access/ed25519.js';
import { createVerifyToken, parseCertificates } from '../../src/anchors/timestamps/verify-token.js';
import { verifyStamp } from '../../src/cli/verify-stamp.js';
import { TOOL } from '../log/python-tool.js';
import {
  type Authority,
  type AuthorityFiles,
  createAuthorityFiles,
  startAuthority,
} from '../support/authority.js';
import { HAS_PYTHON_CRYPTOGRAPHY, missingPrograms, PYTHON } from '../support/programs.js';
import { runCli } from '../support/run-cli.js';
import { ANY_ENGINE, jsonPost, KEY, type Service, startService } from '../support/service.js';

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-tsa-'));
afterAll(() => rmSync(folder, { recursive: true }));
const HAS_OPENSSL = !missingPrograms().includes('openssl');

function makeFolder(name: string): string {
  return mkdtempSync(path.join(folder, name));
}

const anchorsIn = (file: string) => parseCertificates(readFileSync(file, 'utf8'));

describe.runIf(HAS_OPENSSL)('the verification of an RFC 3161 token', () => {
  const root = Buffer.alloc(32, 7);
  let files: AuthorityFiles;
  let query: Buffer;
  let verify: VerifyToken;
  const tokenOf = (name: string) => files.answer(name, query, '-token_out');

  beforeAll(() => {
    const directory = makeFolder('verify');
    files = createAuthorityFiles(directory);
    writeFileSync(path.join(directory, 'root'), root);
    files.run('ts', '-query', '-data', 'root', '-sha256', '-cert', '-out', 'query');
    query = readFileSync(path.join(directory, 'query'));
    verify = createVerifyToken(anchorsIn(files.rootFile));
  });

  it('accepts tokens with RSA and ECDSA keys, and returns the time and the name of the authority', async () => {
    for (const [name, key] of [
      ['ecdsa', undefined],
      ['rsa', ['rsa:2048']],
    ] as const) {
      files.issue(name, key && { key });
      const before = Math.floor(Date.now() / 1000) * 1000;
      const report = await verify(tokenOf(name), root);
      expect(report).toEqual({ verified: true, time: expect.any(String), authority: name });
      const atMs = report.verified ? Date.parse(report.time) : 0;
      expect(atMs >= before && atMs <= Date.now()).toBe(true);
    }
  });

  it('rejects other data, changed or malformed tokens, and expired, wrong or unknown certificates', async () => {
    const mail = files.issue('mail', { usage: 'critical,emailProtection' });
    const both = files.issue('both', { usage: 'critical,timeStamping,emailProtection' });
    const uncritical = files.issue('uncritical', { usage: 'timeStamping' });
    // The certificates must be valid at the time of the token.
    const token = tokenOf(files.issue('sound'));
    const changed = Buffer.from(token);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    const elsewhere = createAuthorityFiles(makeFolder('other'), 'Other root');
    const other = createVerifyToken(anchorsIn(elsewhere.rootFile));
    const code = (code: string) => ({ verified: false, code });
    expect(await verify(token, Buffer.alloc(32, 8))).toEqual(code('otherImprint'));
    expect(await verify(changed, root)).toEqual(code('badTokenSignature'));
    expect(await verify(tokenOf(files.issue('expired', { days: -1 })), root)).toEqual(
      code('untrustedAuthority'),
    );
    expect(await other(token, root)).toEqual(code('untrustedAuthority'));
    for (const name of [mail, both, uncritical])
      expect(await verify(files.signAgain(name, token), root), name).toEqual(code('wrongUsage'));
    for (const bytes of [Buffer.alloc(0), token.subarray(0, -1), Buffer.concat([token, Buffer.alloc(1)])])
      expect(await verify(bytes, root)).toEqual(code('malformedToken'));
    // Without trust anchors, the chain is not checked.
    expect(await createVerifyToken(undefined)(tokenOf('expired'), root)).toMatchObject({ verified: true });
  });

  it('never returns another time or authority for a token with one changed bit', {
    timeout: 60_000,
  }, async () => {
    const token = tokenOf(files.issue('changed'));
    const report = await verify(token, root);
    expect(report.verified).toBe(true);
    for (let at = 0; at < token.length; at += 3) {
      const bytes = Buffer.from(token);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      const found = await verify(bytes, root);
      if (found.verified) expect(found, `byte ${at}`).toEqual(report);
    }
  });
});

describe.runIf(HAS_OPENSSL)('a service with TSA_URL', () => {
  let authority: Authority;
  let files: AuthorityFiles;
  let service: Service;

  const record = async (name: string) => {
    const entities = [{ id: name, role: 'human' }];
    expect((await service.send('/v1/batch', jsonPost({ entities, actions: [] }))).status).toBeLessThan(300);
  };
  const readTimestamp = async (id: string): Promise<Timestamp | undefined> => {
    const answer = await service.send(`/v1/entity/${id}/timestamp`);
    return answer.status === 200 ? answer.json() : undefined;
  };
  const until = async (id: string) => {
    await expect.poll(() => readTimestamp(id), { timeout: 30_000, interval: 100 }).toBeDefined();
    return (await readTimestamp(id)) as Timestamp;
  };

  beforeAll(async () => {
    files = createAuthorityFiles(makeFolder('service'));
    authority = await startAuthority(files, files.issue('authority'));
    service = await startService(ANY_ENGINE, {
      environment: { TSA_URL: authority.url, TSA_INTERVAL: '1', TSA_TRUST_ANCHORS: authority.rootFile },
    });
  });
  afterAll(async () => {
    await service.stop();
    await authority.close();
  });

  it('time-stamps its logs with a token that OpenSSL verifies over the root', async () => {
    expect((await service.send('/v1/entity/ann/timestamp')).status).toBe(404);
    await record('ann');
    const { root, token } = await until('ann');
    const directory = makeFolder('check');
    writeFileSync(path.join(directory, 'root'), Buffer.from(root, 'base64'));
    writeFileSync(path.join(directory, 'token'), Buffer.from(token, 'base64'));
    const place = (name: string) => path.join(directory, name);
    const verify = [
      '-data',
      place('root'),
      '-in',
      place('token'),
      '-token_in',
      '-CAfile',
      authority.rootFile,
    ];
    expect(files.run('ts', '-verify', ...verify).toString()).toContain('Verification: OK');
  });

  it('returns a time-stamp that `colophon verify` checks offline with the certificates of authorities', async () => {
    await record('ben');
    const timestamp = await until('ben');
    const { verifierKey } = await (await service.send('/v1/log')).json();
    const directory = makeFolder('command');
    const write = (name: string, value: unknown) => {
      const file = path.join(directory, name);
      writeFileSync(file, JSON.stringify(value));
      return file;
    };
    const receiptOf = async (id: string) =>
      write(`${id}.json`, await (await service.send(`/v1/entity/${id}/receipt`)).json());
    const printed = await runCli(['receipt', 'ben', '--kind', 'entity', '--timestamp'], {
      COLOPHON_URL: service.base,
      COLOPHON_API_KEY: KEY,
    });
    expect(JSON.parse(printed.stdout)).toMatchObject({
      version: 1,
      root: timestamp.root,
      token: timestamp.token,
    });
    const ben = await receiptOf('ben');
    const stamp = write('stamp.json', timestamp);
    const verify = (receipt: string, file: string, ca = authority.rootFile) =>
      runCli(['verify', receipt, '--key', verifierKey, '--timestamp', file, '--tsa-ca', ca], {});
    const sound = await verify(ben, stamp);
    expect([sound.status, sound.stderr]).toEqual([0, '']);
    expect(sound.stdout.split('\n')).toEqual([
      `${ben} verifies.`,
      expect.stringMatching(/^proven {7}this entity, exactly as in the file/),
      expect.stringMatching(/^signed by {4}the log's key [0-9a-f]{8}, given with --key$/),
      expect.stringMatching(/^as of {8}20\d\d-\S+Z by authority, over a tree of \d+ leaves$/),
      "not checked  whether the authority's certificate was revoked; whether the log shows everybody the same tree (compare checkpoints)",
      '',
    ]);
    const elsewhere = createAuthorityFiles(makeFolder('elsewhere'), 'Elsewhere');
    const flipped = Buffer.from(timestamp.token, 'base64');
    flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1;
    const changes: [string, string, string?][] = [
      ['otherRecord', write('ann.stamp', await until('ann'))],
      ['untrustedAuthority', stamp, elsewhere.rootFile],
      ['badTokenSignature', write('flipped', { ...timestamp, token: flipped.toString('base64') })],
      ['otherImprint', write('single', singleHead(timestamp))],
      ['notCovered', write('root', { ...timestamp, root: Buffer.alloc(32).toString('base64') })],
      ['malformed', write('member', { ...timestamp, more: 1 })],
      ['unsupportedVersion', write('version', { ...timestamp, version: 2 })],
    ];
    for (const [code, file, ca] of changes) {
      const { status, stdout, stderr } = await verify(ben, file, ca);
      expect([status, stderr]).toEqual([3, expect.stringContaining(code)]);
      expect(stdout).toMatch(/^as of {8}no proven time[\s\S]+^time-stamp {3}\S/m);
    }
    expect((await verify(ben, stamp, stamp)).status).toBe(2);
    expect((await runCli(['verify', ben, '--key', verifierKey, '--timestamp', stamp], {})).status).toBe(2);
    if (!HAS_PYTHON_CRYPTOGRAPHY) return;
    const inPython = (file: string, ca = authority.rootFile) => {
      const options = ['--key', verifierKey, '--timestamp', file, '--tsa-ca', ca];
      const { status, stdout } = spawnSync(PYTHON, [TOOL, ben, ...options], { encoding: 'utf8' });
      return [status, stdout === '' ? undefined : JSON.parse(stdout).timestamp];
    };
    const { size } = parseCheckpoint(timestamp.log.checkpoint) ?? {};
    const time = expect.stringMatching(/^20\d\d-\S+Z$/);
    expect(inPython(stamp)).toEqual([0, { verified: true, size, time, authority: 'authority' }]);
    for (const [code, file, ca] of changes)
      expect(inPython(file, ca), code).toEqual([3, { verified: false, code }]);
    expect(inPython(stamp, stamp)).toEqual([2, undefined]);
  });

  it('returns a time-stamp that does not verify with a key retired before the time-stamped tree', async () => {
    await record('gus');
    const timestamp = await until('gus');
    const report = { verified: true, digest: timestamp.digest } as ReceiptReport;
    const { verifierKey } = await (await service.send('/v1/log')).json();
    const trusted = parseTrustedLog(verifierKey) as TrustedLog;
    const stamp = {
      document: Buffer.from(JSON.stringify(timestamp)),
      verifyToken: createVerifyToken(anchorsIn(authority.rootFile)),
    };
    const size = parseCheckpoint(timestamp.log.checkpoint)?.size ?? 0;
    const unknown = { publicKey: Buffer.alloc(32, 7) };
    const by = (maxSize: number) =>
      verifyStamp(stamp, report, {
        keys: [unknown, { ...trusted, maxSize }, unknown],
        verify: createVerifySignature(),
      });
    expect(await by(size)).toMatchObject({ verified: true, size });
    expect(await by(size - 1)).toEqual({ verified: false, code: 'retiredKey' });
  });

  /** The earlier request had another root. */
  function singleHead(timestamp: Timestamp): Timestamp {
    const other = files.answer('authority', authority.requests[0] ?? Buffer.alloc(0), '-token_out');
    return { ...timestamp, token: other.toString('base64') };
  }

  it('sends at most one request per interval while the authority fails, and stores tokens afterwards', async () => {
    authority.status = 503;
    await record('cem');
    authority.requests.length = 0;
    const startedMs = performance.now();
    await expect
      .poll(() => authority.requests.length, { timeout: 30_000, interval: 50 })
      .toBeGreaterThanOrEqual(2);
    expect(authority.requests.length).toBeLessThanOrEqual((performance.now() - startedMs) / 1_000 + 2);
    await record('dan');
    expect(await readTimestamp('cem')).toBeUndefined();
    authority.status = 200;
    expect((await until('dan')).heads.size).toBeGreaterThanOrEqual(1);
    expect(await until('cem')).toBeDefined();
    const sent = authority.requests.length;
    await record('eva');
    await until('eva');
    expect(authority.requests.length).toBe(sent + 1);
  });

  it('does not store a token that was created for another request', async () => {
    await record('fay');
    const earlier = files.answer('authority', authority.requests[0] ?? Buffer.alloc(0));
    authority.change = () => earlier;
    const sent = authority.requests.length;
    await expect
      .poll(() => authority.requests.length, { timeout: 30_000, interval: 50 })
      .toBeGreaterThan(sent + 1);
    expect(await readTimestamp('fay')).toBeUndefined();
    authority.change = (answer) => answer;
    await until('fay');
  });
});
