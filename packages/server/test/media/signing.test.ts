import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMediaEngine } from '../../src/media/create-media-engine.js';
import type { ManifestSigner, MediaEngine, SigningAlgorithm } from '../../src/media/media-engine.js';
import { createDevelopmentSigner } from '../../src/media/signing/development-signer.js';
import { define, failures } from '../support/manifests.js';
import { makeMediaFiles } from '../support/media-files.js';
import { openScheduler } from '../support/scheduler.js';
import { signAndRead } from '../support/sign-and-read.js';
import { type KeyKind, makeSigner, trustAnchorPem } from '../support/signers.js';

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-signing-'));
const source = path.join(folder, 'source');
let engine: MediaEngine;
let made = 0;

beforeAll(async () => {
  engine = await createMediaEngine({ maxBytes: 1_000_000, timeoutMs: 30_000, scheduler: openScheduler() });
  const [jpeg] = await makeMediaFiles();
  writeFileSync(source, jpeg?.bytes ?? '');
});

afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

async function sign(signer: ManifestSigner, trustAnchorsPem = trustAnchorPem) {
  made += 1;
  const outputPath = path.join(folder, String(made));
  const request = {
    path: source,
    outputPath,
    mediaType: 'image/jpeg',
    definition: define(),
    ingredients: [],
  };
  const outcome = await signAndRead(engine, { ...request, signer, trustAnchorsPem });
  return { ...outcome, signed: readFileSync(outputPath) };
}

describe('a signature', () => {
  it.each<[SigningAlgorithm, KeyKind]>([
    ['es256', 'P-256'],
    ['es384', 'P-384'],
    ['es512', 'P-521'],
    ['ps256', 'RSA 2048'],
    ['ps384', 'RSA 2048'],
    ['ps512', 'RSA 2048'],
    ['ed25519', 'Ed25519'],
  ])('by %s reads as trusted', async (algorithm, kind) => {
    const { store } = await sign({ ...makeSigner({ kind }), algorithm });
    expect([store.validation_state, failures(store)]).toEqual(['Trusted', []]);
    const manifest = store.manifests[store.active_manifest ?? ''] as { signature_info: { alg: string } };
    expect(manifest.signature_info.alg.toLowerCase()).toBe(algorithm);
  });

  it.each([
    ['e-mail protection', '1.3.6.1.5.5.7.3.4'],
    ['document signing', '1.3.6.1.5.5.7.3.36'],
    ['Microsoft C2PA signing', '1.3.6.1.4.1.311.76.59.1.9'],
    ['C2PA claim signing', '1.3.6.1.4.1.62558.2.1'],
  ])('of a certificate for %s is accepted', async (_, usage) => {
    const { store } = await sign(makeSigner({ extendedKeyUsages: [usage] }));
    expect(store.validation_state).toBe('Trusted');
  });

  it('with a chain of certificates reads as trusted', async () => {
    const { certificatePem, privateKeyPem } = makeSigner();
    const { store } = await sign({ certificatePem: `${certificatePem}${trustAnchorPem}`, privateKeyPem });
    expect(store.validation_state).toBe('Trusted');
  });

  it('does not verify with a changed byte', async () => {
    const { signed } = await sign(makeSigner());
    const start = signed.indexOf('c2pa.signature');
    const end = signed.indexOf('jumb', start + 40);
    const signature = signed.subarray(start + 30, end === -1 ? start + 900 : end);
    for (let offset = 0; offset < signature.length; offset += 37) {
      const at = start + 30 + offset;
      const changed = Buffer.from(signed);
      changed[at] = (changed[at] ?? 0) ^ 0x10;
      const target = path.join(folder, 'changed');
      writeFileSync(target, changed);
      const outcome = await engine.read({
        path: target,
        mediaType: 'image/jpeg',
        trustAnchorsPem: trustAnchorPem,
      });
      if (outcome.kind === 'store') expect(outcome.store.validation_state, `byte ${at}`).toBe('Invalid');
      else expect(outcome.kind).toBe('broken');
    }
  });

  it('fails with an algorithm that the key does not support', async () => {
    await expect(sign({ ...makeSigner(), algorithm: 'ps256' })).rejects.toMatchObject({
      code: 'ValidationError',
      details: [{ path: 'algorithm' }],
    });
  });
});

describe('the development signer', () => {
  it('creates files that read as valid, and as trusted only if its authority is an anchor', async () => {
    const development = createDevelopmentSigner();
    const { store } = await sign(development);
    expect([store.validation_state, failures(store)]).toEqual(['Valid', ['signingCredential.untrusted']]);
    expect((await sign(development, development.trustAnchorPem)).store.validation_state).toBe('Trusted');
  });

  it('is a new one each time', () => {
    expect(createDevelopmentSigner().trustAnchorPem).not.toBe(createDevelopmentSigner().trustAnchorPem);
  });
});
