import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Detection, verifyDetection, verifyEd25519 } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowDetection } from './support/media-form.js';
import { runCli } from './support/run-cli.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from './support/service.js';

const PUBLIC_KEY = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
const PUBLISHED = 'A short poem about a heron.';

/** Rejects every second request. */
function createLimitedServer(target: string): Server {
  let requests = 0;
  return createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    requests += 1;
    if (requests % 2 === 0) {
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '0' });
      const error = { code: 'TooManyRequests', message: 'Too many detections.', requestId: 'test' };
      response.end(JSON.stringify({ error }));
      return;
    }
    const { 'content-type': type = '' } = request.headers;
    const init = { method: 'POST', headers: { 'content-type': type }, body: Buffer.concat(chunks) };
    const answer = await fetch(target + request.url, init);
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(await answer.text());
  });
}

describe('colophon detect', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-detect-'));
  const at = (name: string) => path.join(folder, name);
  let service: Service;
  const run = (...argv: string[]) => runCli(['detect', ...argv], { COLOPHON_URL: service.base });

  beforeAll(async () => {
    const environment = {
      ...{ PUBLIC_DETECTOR: 'true', PUBLIC_DETECTOR_RPM: '1000' },
      SERVER_SIGNING_KEY: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    };
    service = await startService(ANY_ENGINE, { environment });
    await allowDetection(service);
    const { cid } = await (await service.upload(PUBLISHED)).json();
    await service.send('/v1/publications', jsonPost({ cid }));
    writeFileSync(at('known.txt'), PUBLISHED);
    writeFileSync(at('again.txt'), PUBLISHED);
    writeFileSync(at('unknown.txt'), 'Nobody published this.');
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  it('prints the marks of each file with maker and meaning, and exits with 3 for a file without marks', async () => {
    const { status, stdout, stderr } = await run(at('known.txt'), at('unknown.txt'));
    expect([status, stderr]).toEqual([3, expect.stringContaining('no mark in 1 of 2 files')]);
    expect(stdout).toContain(`${at('known.txt')}: Exactly this file is published.`);
    expect(stdout).toMatch(/ {2}log \(high\): .*\n {4}The file has exactly the published bytes\.\n/);
    expect(stdout).toMatch(/ {4}By: Ann \(human\)\.\n {4}Recorded: \d{4}-/);
    expect(stdout).toContain(`${at('unknown.txt')}: No mark was found.`);
    expect(stdout).toMatch(/ {2}fingerprint \(not checked, tooLittle\): .*too small/);
  });

  it('prints several files as a JSON array and one file as an object', async () => {
    const both = await run(at('known.txt'), at('unknown.txt'), '--json');
    const found: (Detection & { file: string })[] = JSON.parse(both.stdout);
    expect(both.status).toBe(3);
    expect(found.map(({ file, layers }) => [file, layers.length])).toEqual([
      [at('known.txt'), 1],
      [at('unknown.txt'), 0],
    ]);
    const one = await run(at('known.txt'), '--json');
    expect([one.status, JSON.parse(one.stdout).layers[0].kind]).toEqual([0, 'log']);
  });

  it('checks the visible files of a directory, continues after an unreadable file, and exits with 1', async () => {
    mkdirSync(at('set/deep'), { recursive: true });
    for (const name of ['set/b.txt', 'set/deep/a.txt', 'set/.hidden']) writeFileSync(at(name), PUBLISHED);
    symlinkSync(at('unknown.txt'), at('set/link.txt'));
    const whole = await run(at('set'), '--json');
    const names = (stdout: string) => JSON.parse(stdout).map(({ file }: { file: string }) => file);
    expect([whole.status, names(whole.stdout)]).toEqual([0, [at('set/b.txt'), at('set/deep/a.txt')]]);

    const files = [at('absent.txt'), at('unknown.txt'), at('known.txt')];
    const { status, stdout, stderr } = await run(...files);
    expect(status).toBe(1);
    expect(stderr).toContain(`colophon: ${at('absent.txt')}: Cannot read ${at('absent.txt')}`);
    expect(stderr).toContain(
      '1 of 3 files could not be checked. The detector found no mark in 1 of 3 files.',
    );
    expect(stdout).toContain(`${at('known.txt')}: Exactly this file is published.`);
    const [absent] = JSON.parse((await run(...files, '--json')).stdout);
    expect(absent).toMatchObject({ file: at('absent.txt'), error: { code: 'UnreadableError' } });
  });

  it('exits with 2 for a directory without files, and with 1 if the service has no detector', async () => {
    mkdirSync(at('empty'));
    expect(await run(at('empty'))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('has no files'),
    });
    const closed = await startService(ANY_ENGINE);
    const argv = ['detect', at('known.txt'), at('again.txt'), '--json'];
    const { status, stdout, stderr } = await runCli(argv, { COLOPHON_URL: closed.base });
    await closed.stop();
    expect([status, stdout, JSON.parse(stderr).error.code]).toEqual([1, '[]\n', 'NotFound']);
  });

  it('writes the signed report of one file into a new file', async () => {
    const { status } = await run(at('known.txt'), '--report', at('report.json'));
    const report = JSON.parse(readFileSync(at('report.json'), 'utf8'));
    const trusted = { publicKey: Buffer.from(PUBLIC_KEY, 'hex'), verify: verifyEd25519 };
    expect([status, verifyDetection(report, trusted).verified]).toEqual([0, true]);
    const several = await run(at('known.txt'), at('unknown.txt'), '--report', at('other.json'));
    expect([several.status, several.stderr]).toEqual([2, expect.stringContaining('--report takes one file')]);
  });

  it('sends a file again after the time that the service states, so a batch does not fail at the limit', async () => {
    const server = createLimitedServer(service.base).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const files = [at('known.txt'), at('again.txt'), at('known.txt')];
    const { status, stdout, stderr } = await runCli(['detect', ...files], { COLOPHON_URL: url });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.match(/Exactly this file is published/g)).toHaveLength(6);
    await new Promise((resolve) => server.close(resolve));
  });
});
