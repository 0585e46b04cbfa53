import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSigner } from '../src/access/ed25519.js';
import { runCli } from './support/run-cli.js';
import { ANY_ENGINE, jsonPost, KEY, type Service, startService } from './support/service.js';

const SEED = 'ab'.repeat(32);
const OTHER_KEY = createSigner('cd'.repeat(32)).publicKeyHex;
const folder = mkdtempSync(path.join(tmpdir(), 'colophon-cli-proof-'));
const file = path.join(folder, 'bundle.json');
afterAll(() => rmSync(folder, { recursive: true }));

const verify = (held: string, key: string, ...more: string[]) =>
  runCli(['verify', held, '--key', key, ...more], {});

describe('a bundle that `colophon bundle --proof` prints', () => {
  let verifierKey: string;
  let publicKey: string;
  let digest: string;
  let actionId: string;
  const receiptFile = path.join(folder, 'receipt.json');
  const statement = path.join(folder, 'receipt.cose');
  const tlogProof = path.join(folder, 'receipt.tlog-proof');

  beforeAll(async () => {
    const service: Service = await startService(ANY_ENGINE, {
      environment: { SERVER_SIGNING_KEY: SEED },
    });
    const { cid } = await (await service.upload('a photo')).json();
    const edit = {
      performedBy: 'ed',
      type: 'transform',
      inputCids: [cid],
      outputCids: [`sha256:${'ab'.repeat(32)}`],
      extensions: { 'ext:ai@1.0.0': { provider: 'Acme', model: 'm', prompt: 'brighter' } },
    };
    await service.send('/v1/entity', jsonPost({ id: 'ed', role: 'human', name: 'Ed' }));
    ({ actionId } = await (await service.send('/v1/action', jsonPost(edit))).json());
    ({ verifierKey, publicKey } = await (await service.send('/v1/log')).json());
    const environment = { COLOPHON_URL: service.base, COLOPHON_API_KEY: KEY };
    const receipt = `/v1/action/${actionId}/receipt`;
    ({ digest } = (await (await service.send(receipt)).json()).record);
    for (const [accept, held] of [
      ['application/json', receiptFile],
      ['application/cose', statement],
      ['text/x.tlog.proof', tlogProof],
    ] as const) {
      const answer = await service.send(receipt, { headers: { accept } });
      writeFileSync(held, Buffer.from(await answer.arrayBuffer()));
    }
    for (const held of [receiptFile, statement]) {
      const byService = await runCli(['verify', held], environment);
      expect([byService.status, byService.stderr]).toEqual([
        0,
        expect.stringContaining('the key from the service'),
      ]);
      expect(byService.stdout).toMatch(/^signed by .+, taken from the service$/m);
      expect(byService.stdout).toMatch(/^not checked .*whether the service returned the right key/m);
    }
    const { status, stdout, stderr } = await runCli(
      ['bundle', edit.outputCids[0] ?? '', '--proof'],
      environment,
    );
    expect([status, stderr]).toEqual([0, '']);
    writeFileSync(file, stdout);
    const unknown = await runCli(['bundle', `sha256:${'00'.repeat(32)}`, '--proof'], environment);
    expect([unknown.status, unknown.stdout]).toEqual([1, '']);
    await service.stop();
  });

  it('verifies with only the key of its log, after the service has stopped', async () => {
    for (const key of [verifierKey, publicKey]) {
      const { status, stdout, stderr } = await verify(file, key);
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/verifies\.\nproven +the 6 records.+No action and no attribution is left out/);
    }
    const { stdout } = await verify(file, verifierKey, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ verified: true, complete: true, records: 6 });
  });

  it('is explained in five lines, like receipts of each format: result, proof, signer, time, not checked', async () => {
    const origin = verifierKey.split('+')[0];
    const keyId = verifierKey.split('+')[1];
    const others = 'whether the log shows everybody the same tree (compare checkpoints)';
    const explain = async (held: string, ...more: string[]) => {
      const { stdout } = await verify(held, verifierKey, ...more);
      return stdout.split('\n');
    };
    const signedBy = `signed by    the log's key ${keyId}, given with --key`;
    expect(await explain(receiptFile)).toEqual([
      `${receiptFile} verifies.`,
      expect.stringMatching(
        `^proven {7}this action, exactly as in the file \\(${digest}\\), is leaf \\d+ of \\d+ of the log `,
      ),
      signedBy,
      'as of        no proven time: only a checked anchor, time-stamp or witness proves a time',
      `not checked  ${others}`,
      '',
    ]);
    expect(await explain(tlogProof, '--digest', digest)).toEqual([
      `${tlogProof} verifies.`,
      expect.stringMatching(
        `^proven {7}the record with the digest ${digest} is leaf \\d+ of \\d+ of the log `,
      ),
      signedBy,
      'as of        no proven time',
      `not checked  the record itself (compute its digest); ${others}`,
      '',
    ]);
    expect(await explain(statement)).toEqual([
      `${statement} verifies.`,
      `proven       the action ${actionId} (${digest}), as the statement shows it, is in the log ${origin}`,
      signedBy,
      'as of        no proven time',
      `not checked  the values of personal fields (the statement has commitments); ${others}`,
      '',
    ]);
    expect(await explain(file)).toEqual([
      `${file} verifies.`,
      expect.stringMatching(
        /^proven {7}the 6 records of .+ No action and no attribution is left out among the first 6 leaves$/,
      ),
      signedBy,
      'as of        a tree of 7 leaves; no proven time',
      expect.stringMatching(
        /^not checked {2}members that only the service signed: recordedAt .+ the same tree/,
      ),
      '',
    ]);
    const ofVersion1 = fileURLToPath(new URL('log/corpus/v1/bundles/ancestors.json', import.meta.url));
    const { verifierKey: keyOfCorpus } = JSON.parse(
      readFileSync(fileURLToPath(new URL('log/corpus/v1/log.json', import.meta.url)), 'utf8'),
    );
    const explained = (await verify(ofVersion1, keyOfCorpus)).stdout.split('\n');
    expect(explained).toHaveLength(6);
    expect(explained[4]).toMatch(/^not checked {2}whether attributions were left out; members that only/);
  });

  it('does not verify after any of five changes: the exit code is 3, and the output has the reason', async () => {
    const text = readFileSync(file, 'utf8');
    const changes: [string, string, string][] = [
      ['"brighter"', '"darker"', 'badBundleSignature'],
      ['"complete": true', '"complete": false', 'badBundleSignature'],
      ['"version": 2', '"version": 3', 'unsupportedVersion'],
      ['"proof": {', '"proof": { "more": 1,', 'malformed'],
      ['/log/', '/log/x', 'otherOrigin'],
    ];
    const forged = path.join(folder, 'forged.json');
    for (const [from, to, code] of changes) {
      expect(text).toContain(from);
      writeFileSync(forged, text.replace(from, to));
      const { status, stdout, stderr } = await verify(forged, verifierKey, '--json');
      expect([status, JSON.parse(stdout)], from).toEqual([3, { verified: false, code }]);
      expect(JSON.parse(stderr).error.message).toContain(code);
    }
  });

  it('does not verify with another key or as a truncated file', async () => {
    const other = await verify(file, OTHER_KEY);
    expect([other.status, other.stderr]).toEqual([3, expect.stringContaining('untrustedKey')]);
    const cut = path.join(folder, 'cut.json');
    writeFileSync(cut, readFileSync(file, 'utf8').slice(0, -100));
    const short = await verify(cut, verifierKey);
    expect([short.status, short.stderr]).toEqual([3, expect.stringContaining('malformed')]);
  });

  it('has an action whose receipts in COSE and as tlog-proof verify with only the key of the log', async () => {
    const byStatement = await verify(statement, verifierKey);
    expect([byStatement.status, byStatement.stderr]).toEqual([0, '']);
    expect(byStatement.stdout).toContain(digest);
    expect(byStatement.stdout).toMatch(
      /verifies\.\nproven +the action [0-9a-f-]{36} .+\n.+\n.+\nnot checked/,
    );
    const byProof = await verify(tlogProof, verifierKey, '--digest', digest, '--json');
    expect(JSON.parse(byProof.stdout)).toMatchObject({ verified: true, digest });
    expect((await verify(statement, OTHER_KEY)).stderr).toContain('untrustedKey');
    const other = await verify(tlogProof, verifierKey, '--digest', `sha256:${'00'.repeat(32)}`);
    expect([other.status, other.stderr]).toEqual([3, expect.stringContaining('notIncluded')]);
    expect((await verify(tlogProof, verifierKey)).stderr).toContain('--digest');
    expect((await verify(statement, verifierKey, '--require-anchor', '--rpc', 'http://[::1]')).status).toBe(
      2,
    );
    const forged = path.join(folder, 'forged.cose');
    const bytes = readFileSync(statement);
    const at = bytes.indexOf('"create"') < 0 ? bytes.indexOf('"transform"') : bytes.indexOf('"create"');
    bytes[at + 2] = (bytes[at + 2] ?? 0) ^ 1;
    writeFileSync(forged, bytes);
    expect((await verify(forged, verifierKey)).stderr).toContain('badSignature');
  });

  it('is not checked without a readable key (exit code 2) or without a file (exit code 1)', async () => {
    expect((await verify(file, 'no key')).status).toBe(2);
    const absent = await verify(path.join(folder, 'absent.json'), verifierKey);
    expect([absent.status, absent.stderr]).toEqual([1, expect.stringContaining('no such file')]);
  });
});

describe('`colophon doctor`', () => {
  const said = async (environment: Record<string, string>) =>
    /^log +(.*)$/m.exec((await runCli(['doctor'], environment)).stdout)?.[1];

  it('names the key of the log, or reports that there is none, and creates no key', async () => {
    const { publicKeyHex } = createSigner(SEED);
    expect(await said({ SERVER_SIGNING_KEY: SEED })).toContain(publicKeyHex);
    expect(await said({})).toContain('lost on restart');
    expect(await said({ DATA_DIR: folder })).toContain('at its first start');
    writeFileSync(path.join(folder, 'log-signing-key'), `${SEED}\n`);
    expect(await said({ DATA_DIR: folder })).toContain(`DATA_DIR; its public key is ${publicKeyHex}`);
    const production = { NODE_ENV: 'production', DATABASE_URL: 'postgresql://u@localhost/d' };
    expect(await said(production)).toContain('set SERVER_SIGNING_KEY');
    writeFileSync(path.join(folder, 'log-signing-key'), 'nothing');
    const broken = await runCli(['doctor'], { DATA_DIR: folder });
    expect([broken.status, broken.stderr]).toEqual([1, expect.stringContaining('log-signing-key')]);
  });
});
