import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMediaEngine } from '../../src/media/create-media-engine.js';
import type { MediaEngine } from '../../src/media/media-engine.js';
import { createTimeStampClient, type TimeStampFetch } from '../../src/media/signing/time-stamp.js';
import { define, failures } from '../support/manifests.js';
import { makeMediaFiles } from '../support/media-files.js';
import { openScheduler } from '../support/scheduler.js';
import { signAndRead } from '../support/sign-and-read.js';
import { makeSigner, trustAnchorPem } from '../support/signers.js';

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-time-stamp-'));
const at = (name: string) => path.join(folder, name);
const HAS_OPENSSL = hasOpenssl();
const CONFIGURATION = `[tsa]
serial = ${at('serial')}
default_policy = 1.2.3.4
digests = sha256
signer_digest = sha256
`;
let engine: MediaEngine;
let answer: (query: Uint8Array) => Uint8Array;
let calls = 0;
let made = 0;

const fetch: TimeStampFetch = async (_, { body }) => {
  calls += 1;
  const bytes = Uint8Array.from(answer(body));
  return { ok: bytes.length > 0, status: 500, body: Readable.from([bytes]) };
};

beforeAll(async () => {
  engine = await createMediaEngine({ maxBytes: 1e7, timeoutMs: 20_000, scheduler: openScheduler(), fetch });
  for (const { name, bytes } of await makeMediaFiles()) writeFileSync(at(name), bytes);
  if (!HAS_OPENSSL) return;
  writeFileSync(at('tsa.cnf'), CONFIGURATION);
  const subject = ['-newkey', 'rsa:2048', '-nodes', '-subj', '/O=Colophon tests/CN=Time', '-days', '2'];
  const usages = ['extendedKeyUsage=critical,timeStamping', 'keyUsage=critical,digitalSignature'];
  const extensions = [...usages, 'basicConstraints=critical,CA:FALSE'].flatMap((one) => ['-addext', one]);
  openssl('req', '-x509', ...subject, ...extensions, '-keyout', at('tsa.key'), '-out', at('tsa.pem'));
});

afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

function hasOpenssl(): boolean {
  try {
    return openssl('version').length > 0;
  } catch {
    return false;
  }
}

function openssl(...parameters: string[]): Buffer {
  return execFileSync('openssl', parameters, { stdio: ['ignore', 'pipe', 'pipe'] });
}

function reply(query: Uint8Array): Buffer {
  writeFileSync(at('query'), query);
  const by = ['-config', at('tsa.cnf'), '-section', 'tsa', '-signer', at('tsa.pem'), '-inkey', at('tsa.key')];
  openssl('ts', '-reply', ...by, '-queryfile', at('query'), '-out', at('reply'));
  return readFileSync(at('reply'));
}

async function sign(name: string, mediaType: string, trustAnchorsPem = trustAnchorPem) {
  made += 1;
  calls = 0;
  const outputPath = at(`out-${made}`);
  const signer = { ...makeSigner(), tsaUrl: 'https://time.example/' };
  const request = { path: at(name), outputPath, mediaType, definition: define(), ingredients: [], signer };
  return {
    outputPath,
    outcome: await signAndRead(engine, { ...request, trustAnchorsPem }).catch((error) => error),
  };
}

function successes(store: { validation_results?: Record<string, unknown> }): string[] {
  const { activeManifest } = store.validation_results as { activeManifest: { success: { code: string }[] } };
  return activeManifest.success.map(({ code }) => code);
}

describe.skipIf(!HAS_OPENSSL)('a time-stamp', () => {
  it.each([
    ['JPEG', 'image/jpeg'],
    ['PDF', 'application/pdf'],
  ])('of a %s file is requested once and validates', async (name, mediaType) => {
    answer = reply;
    const anchors = `${trustAnchorPem}${readFileSync(at('tsa.pem'), 'utf8')}`;
    const { outcome } = await sign(name, mediaType, anchors);
    expect([outcome.store.validation_state, failures(outcome.store)]).toEqual(['Trusted', []]);
    expect(successes(outcome.store)).toEqual(
      expect.arrayContaining(['timeStamp.validated', 'timeStamp.trusted']),
    );
    const manifest = outcome.store.manifests[outcome.store.active_manifest];
    expect(Math.abs(Date.parse(manifest.signature_info.time) - Date.now())).toBeLessThan(60_000);
    expect(calls).toBe(1);
  });

  it('of other data is rejected, and nothing is written', async () => {
    answer = () => readFileSync(at('reply'));
    const { outcome, outputPath } = await sign('JPEG', 'image/jpeg');
    expect(outcome).toMatchObject({
      code: 'Unavailable',
      message: expect.stringContaining('returned an invalid answer'),
    });
    expect(existsSync(outputPath)).toBe(false);
  });
});

describe('a time-stamp service', () => {
  it.each([
    ['fails', () => new Uint8Array(), 'cannot be reached'],
    ['answers with text', () => Buffer.from('<html>'), 'returned an invalid answer'],
    ['refuses', () => Buffer.from('30053003020102', 'hex'), 'returned an invalid answer'],
    ['sends too much', (query: Uint8Array) => Buffer.concat([bigToken(query)]), 'too large'],
  ])('that %s makes the signing fail with 503, and nothing is written', async (_, answered, says) => {
    answer = answered;
    const { outcome, outputPath } = await sign('JPEG', 'image/jpeg');
    expect(outcome).toMatchObject({
      code: 'Unavailable',
      status: 503,
      message: expect.stringContaining(says),
    });
    expect(existsSync(outputPath)).toBe(false);
    expect(calls).toBe(1);
  });
});

it('the time-stamp client reads at most the size of a token from an answer', async () => {
  let sent = 0;
  async function* endless() {
    for (; sent < 1000; sent += 1) yield new Uint8Array(16 * 1024);
  }
  const ask = createTimeStampClient('https://time.example/', async () => ({
    ok: true,
    status: 200,
    body: endless(),
  }));
  await expect(ask(new Uint8Array(1))).rejects.toMatchObject({ code: 'Unavailable' });
  expect(sent).toBe(4);
});

/** The token is too large for the reserved bytes of a signature. */
function bigToken(query: Uint8Array): Buffer {
  const token = Buffer.concat([Buffer.from('3082f000', 'hex'), query, Buffer.alloc(0xf000 - query.length)]);
  const content = Buffer.concat([Buffer.from('3003020100', 'hex'), token]);
  const head = Buffer.from('30820000', 'hex');
  head.writeUInt16BE(content.length, 2);
  return Buffer.concat([head, content]);
}
