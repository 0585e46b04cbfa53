import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from './support/run-cli.js';
import { ANY_ENGINE, jsonPost, KEY, type Service, startService } from './support/service.js';
import { texturedPicture } from './support/textured-picture.js';

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-cli-records-'));
const inFolder = (name: string) => path.join(folder, name);
let service: Service;
beforeAll(async () => {
  service = await startService(ANY_ENGINE);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const environment = (key = KEY) => ({ COLOPHON_URL: service.base, COLOPHON_API_KEY: key });
const run = (argv: string[], input?: string) => runCli(argv, environment(), input);

async function runJson(argv: string[], input?: string) {
  const { status, stdout, stderr } = await run([...argv, '--json'], input);
  expect([status, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

describe('colophon record', () => {
  it('accepts standard input, the AI tool, the session and a note', async () => {
    const tool = [
      '--tool',
      'acme/poet/2',
      '--tool-version',
      '7',
      '--session',
      'monday',
      '--note',
      'first draft',
    ];
    const said = await runJson(
      ['record', '-', '--name', 'Ann', '--file-name', 'poem.txt', ...tool],
      'a poem',
    );
    const action = await (await service.send(`/v1/action/${said.actionId}`)).json();
    expect(action).toMatchObject({
      sessionId: 'monday',
      aiTool: { provider: 'acme', model: 'poet/2', version: '7' },
    });
    const { attributions } = await (await service.send(`/v1/attributions?actionId=${said.actionId}`)).json();
    expect(attributions[0]).toMatchObject({ note: 'first draft' });
    expect(said.mimeType).toBe('text/plain');
  });

  it('signs with a key of `colophon sign --new`, whose file only the owner can read', async () => {
    const keyFile = inFolder('signing-key');
    const publicKey = (await runCli(['sign', '--new', keyFile], {})).stdout.trim();
    expect(statSync(keyFile).mode & 0o077).toBe(0);
    expect((await runCli(['sign', '--new', keyFile], {})).status).toBe(1); // `sign --new` never overwrites a key
    const signed = ['--entity', 'studio:bo', '--sign', keyFile];
    const { actionId } = await runJson(['record', '-', ...signed], 'a signed poem');
    const { proof } = await (await service.send(`/v1/action/${actionId}`)).json();
    expect(proof.publicKey).toBe(publicKey);
  });

  it('names COLOPHON_API_KEY when the key is unknown', async () => {
    const { status, stderr } = await runCli(['record', '-', '--name', 'Ann'], environment('unknown'), 'x');
    expect([status, stderr]).toEqual([1, expect.stringMatching(/key.*Check COLOPHON_API_KEY\./i)]);
  });

  it('prints code, details and recovery of a rejection with --json', async () => {
    await run(['record', '-', '--name', 'Ann'], 'twice');
    const again = await run(['record', '-', '--name', 'Ann', '--json'], 'twice');
    const { error } = JSON.parse(again.stderr);
    expect([again.status, error.code]).toEqual([1, 'Duplicate']);
    expect(error.details).toMatchObject({ cid: expect.stringMatching(/^baf/), actionId: expect.any(String) });
    expect(error.requestId).toEqual(expect.any(String));
    const unknown = await run(['bundle', `sha256:${'00'.repeat(32)}`, '--json']);
    expect(JSON.parse(unknown.stderr).error).toMatchObject({
      code: 'NotFound',
      recovery: expect.any(String),
    });
  });
});

describe('colophon mark', () => {
  const said = ['--entity', 'studio:mark', '--generator', 'Poet', '--disclosure', 'ai_generated'];

  it('marks a text with a manifest and in the log, and writes the marked copy', async () => {
    await service.send('/v1/entity', jsonPost({ id: 'studio:mark', role: 'human' }));
    const output = inFolder('marked.txt');
    const text = 'A text of the command line. '.repeat(10);
    const mark = await runJson(['mark', '-', ...said, '--output', output], text);
    expect(mark.layers).toMatchObject([
      { kind: 'manifest', state: 'added' },
      { kind: 'fingerprint' },
      { kind: 'log', state: 'added' },
      { kind: 'watermark', state: 'unavailable' },
    ]);
    const copy = readFileSync(output, 'utf8');
    expect([copy.startsWith(text), copy.length > text.length]).toEqual([true, true]);
    const { stdout } = await run(['mark', '-', ...said], `${text} Again.`);
    expect(stdout).toMatch(
      /^baf\w+\n\nmarked by action .+\n\nLAYER +STATE +METHOD +REASON\nmanifest +added +c2pa/,
    );
  });

  it('adds a watermark to a picture unless --no-watermark is given', async () => {
    const picture = inFolder('heron.png');
    await (await texturedPicture(80)).png().toFile(picture);
    const layerOf = async (...more: string[]) =>
      (await runJson(['mark', picture, ...said, ...more])).layers.find(
        ({ kind }: { kind: string }) => kind === 'watermark',
      );
    expect(await layerOf()).toMatchObject({ state: 'added', method: 'image-mark/1' });
    expect(await layerOf('--no-watermark')).toMatchObject({
      state: 'unavailable',
      reason: 'The request turns the watermark off.',
    });
  });

  it.each([
    [['--entity', 'a', '--generator', 'b'], /--disclosure must be ai_generated/],
    [['--entity', 'a', '--disclosure', 'none'], /--generator/],
  ])('names what is missing in %j', async (argv, message) => {
    const { status, stderr } = await run(['mark', '-', ...argv], 'x');
    expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe('colophon sign', () => {
  it('prints a signed request that the service accepts, and needs no address of the service', async () => {
    const keyFile = inFolder('offline-key');
    await runCli(['sign', '--new', keyFile], {});
    const activity = { entity: { id: 'studio:cy', role: 'human' } };
    const signed = await runCli(['sign', '-', '--key-file', keyFile], {}, JSON.stringify(activity));
    expect(JSON.parse(signed.stdout).entity).toMatchObject({ publicKey: expect.any(String) });
    await service.send('/v1/entity', jsonPost(JSON.parse(signed.stdout).entity));
    const request = inFolder('action.json');
    writeFileSync(
      request,
      JSON.stringify({ performedBy: 'studio:cy', outputCids: [`sha256:${'cd'.repeat(32)}`] }),
    );
    const action = (await runCli(['sign', request, '--key-file', keyFile], {})).stdout;
    expect((await service.send('/v1/action', jsonPost(JSON.parse(action)))).status).toBe(201);
    const other = await runCli(['sign', '-', '--key-file', keyFile], {}, '{"name":"nothing to sign"}');
    expect([other.status, other.stderr]).toEqual([2, expect.stringContaining('performedBy')]);
    const noKey = await runCli(['sign', request, '--key-file', request], {});
    expect([noKey.status, noKey.stderr]).toEqual([2, expect.stringContaining('64 hex digits')]);
  });
});

describe('colophon, with recorded content', () => {
  let made: { cid: string; actionId: string; entityId: string };
  beforeAll(async () => {
    made = await runJson(['record', '-', '--entity', 'studio:ann'], 'to be read again');
  });

  it('read: writes the bytes to standard output, or to a new file', async () => {
    expect(await run(['read', made.cid])).toEqual({ status: 0, stdout: 'to be read again', stderr: '' });
    const output = inFolder('read.txt');
    expect((await run(['read', made.cid, '--output', output])).status).toBe(0);
    expect(readFileSync(output, 'utf8')).toBe('to be read again');
    expect((await run(['read', made.cid, '--output', output])).status).toBe(1);
    expect(readFileSync(output, 'utf8')).toBe('to be read again');
    expect((await run(['read', made.cid, '--car'])).stdout).toContain('to be read again');
  });

  it('search: finds the same bytes, and reports when nothing is similar', async () => {
    const file = inFolder('sought.txt');
    writeFileSync(file, 'to be read again');
    expect((await run(['search', file])).stdout).toMatch(
      new RegExp(`^exact\\n\\nCID .*\\n${made.cid} +1.000`),
    );
    expect(await runJson(['search', '-', '--limit', '1'], 'to be read again')).toMatchObject({
      verdict: 'exact',
    });
    expect((await run(['search', '--cid', made.cid])).stdout).toContain('Nothing like it');
    const { matches } = await runJson(['search', '--text', 'to be read again']);
    expect(matches).toContainEqual(expect.objectContaining({ cid: made.cid }));
  });

  it('shares: lists the creators and their shares', async () => {
    expect((await run(['shares', made.cid])).stdout).toMatch(/studio:ann +10000 +-\n\nof 10000, by direct\n/);
    const { total } = await runJson(['shares', made.cid, '--policy', 'all-ancestors', '--total', '3']);
    expect(total).toBe(3);
  });

  it('log: shows the key with which a receipt of `colophon receipt` verifies; verify recognises receipts', async () => {
    const { verifierKey, size } = await runJson(['log']);
    expect((await run(['log'])).stdout).toContain(verifierKey);
    expect((await run(['log', '--checkpoint'])).stdout.split('\n')[1]).toBe(String(size));
    const receipt = inFolder('receipt.json');
    for (const [kind, id] of [
      ['action', made.actionId],
      ['entity', 'studio:ann'],
    ] as const) {
      writeFileSync(receipt, (await run(['receipt', id, '--kind', kind])).stdout);
      expect((await runCli(['verify', receipt, '--key', verifierKey], {})).status).toBe(0);
      const known = await run(['verify', receipt]);
      expect([known.status, known.stdout]).toEqual([0, expect.stringContaining(`this ${kind}`)]);
      expect(known.stderr).toContain('Checked with the key from the service');
    }
    const noKey = await runCli(['verify', receipt], {});
    expect([noKey.status, noKey.stderr]).toEqual([
      2,
      expect.stringMatching(/is a receipt.*--key.*COLOPHON_API_KEY/),
    ]);
    writeFileSync(receipt, readFileSync(receipt, 'utf8').replace('studio:ann', 'studio:eve'));
    expect((await run(['verify', receipt])).status).toBe(3);
  });

  it('verify: recognises a bundle with its proof, and treats any other JSON as content', async () => {
    const bundle = inFolder('bundle.json');
    writeFileSync(bundle, (await run(['bundle', made.cid, '--proof'])).stdout);
    const verified = await run(['verify', bundle]);
    const whole = expect.stringContaining('No action and no attribution is left out');
    expect([verified.status, verified.stdout]).toEqual([0, whole]);
    const file = inFolder('data.json');
    writeFileSync(file, '{"version":1}');
    await run(['record', file, '--name', 'Ann']);
    expect((await run(['verify', file])).stdout).toContain('is recorded, byte for byte');
  });
});
