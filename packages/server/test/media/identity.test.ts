import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MEDIA_FORMATS } from '../../src/media/formats.js';
import type { ManifestStore } from '../../src/media/media-engine.js';
import { createPassTimes } from '../../src/media/pass-times.js';
import { checkSigner } from '../../src/media/signing/check-signer.js';
import { createCoseSigner } from '../../src/media/signing/cose-signer.js';
import { loadEngine, toEngineSettings } from '../../src/media/worker/c2pa-wasm.js';
import type { SignatureCall } from '../../src/media/worker/protocol.js';
import { signWhole } from '../../src/media/worker/sign-manifest.js';
import { define, failures } from '../support/manifests.js';
import { type MediaDesk, openMediaDesk } from '../support/media-desk.js';
import { type MediaFile, makeMediaFiles } from '../support/media-files.js';
import {
  authorityForPeople,
  type KeyKind,
  makeSigner,
  peopleAnchorPem,
  trustAnchorPem,
} from '../support/signers.js';

const UNCONFIRMED = 'cawg.x509.credential.untrusted';
let desk: MediaDesk;
let files: MediaFile[];

beforeAll(async () => {
  desk = await openMediaDesk();
  files = await makeMediaFiles();
});

afterAll(() => desk.close());

function file(name: string): MediaFile {
  const found = files.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no file of the format ${name}`);
  return found;
}

function makeIdentity(kind: KeyKind = 'P-256', roles = ['cawg.creator']) {
  return { ...makeSigner({ kind, issuer: authorityForPeople, subject: 'Ann Author' }), roles };
}

async function signWith(identity: ReturnType<typeof makeIdentity>, name = 'JPEG'): Promise<Buffer> {
  const { bytes, mediaType } = file(name);
  return (await desk.sign(bytes, mediaType, { identity })).signed;
}

async function read(bytes: Uint8Array, anchors: object, mediaType = 'image/jpeg'): Promise<ManifestStore> {
  const outcome = await desk.engine.read({ path: desk.write(bytes), mediaType, ...anchors });
  if (outcome.kind !== 'store') throw new Error(`read as ${JSON.stringify(outcome)}`);
  return outcome.store;
}

const BOTH = { trustAnchorsPem: trustAnchorPem, identityAnchorsPem: peopleAnchorPem };

describe.each(MEDIA_FORMATS.map(({ name }) => name))('an identity in a %s file', (name) => {
  it('is confirmed only if its authority is an identity anchor', async () => {
    const { mediaType } = file(name);
    const signed = await signWith(makeIdentity(), name);
    const confirmed = await read(signed, BOTH, mediaType);
    expect([confirmed.validation_state, failures(confirmed)]).toEqual(['Trusted', []]);
    const unconfirmed = await read(signed, { trustAnchorsPem: trustAnchorPem }, mediaType);
    expect([unconfirmed.validation_state, failures(unconfirmed)]).toEqual(['Valid', [UNCONFIRMED]]);
  });
});

describe('an identity', () => {
  it('of an earlier version of the file is checked like an identity of the newest version', async () => {
    const first = await signWith(makeIdentity());
    const definition = define({ action: 'c2pa.edited' });
    const { signed } = await desk.sign(first, 'image/jpeg', { definition });
    const confirmed = await read(signed, BOTH);
    expect([confirmed.validation_state, failures(confirmed)]).toEqual(['Trusted', []]);
    const unconfirmed = await read(signed, { trustAnchorsPem: trustAnchorPem });
    expect([unconfirmed.validation_state, failures(unconfirmed)]).toEqual(['Valid', [UNCONFIRMED]]);
  });

  it.each(['P-384', 'P-521', 'RSA 2048', 'Ed25519'] as const)('signs with a key of %s', async (kind) => {
    const store = await read(await signWith(makeIdentity(kind)), BOTH);
    expect([store.validation_state, failures(store)]).toEqual(['Trusted', []]);
  });

  it('signs all assertions of the service and the content itself', async () => {
    const store = await read(
      await signWith(makeIdentity('P-256', ['cawg.editor', 'org.example.judge'])),
      BOTH,
    );
    const { assertions } = store.manifests[store.active_manifest ?? ''] as {
      assertions: { label: string; data: { signer_payload: { referenced_assertions: { url: string }[] } } }[];
    };
    const identity = assertions.find(({ label }) => label === 'cawg.identity');
    expect(identity?.data.signer_payload).toMatchObject({ role: ['cawg.editor', 'org.example.judge'] });
    const urls = identity?.data.signer_payload.referenced_assertions.map(({ url }) => url.split('/').pop());
    expect(urls?.sort()).toEqual(['c2pa.actions.v2', 'c2pa.hash.data']);
  });

  it('whose authority is an anchor only for claim signers is not confirmed', async () => {
    const identity = { ...makeSigner(), roles: [] };
    const store = await read(await signWith(identity), BOTH);
    expect([store.validation_state, failures(store)]).toEqual(['Valid', [UNCONFIRMED]]);
  });

  it('is not confirmed by an anchor for claim signers; an identity anchor confirms no claim signer', async () => {
    const anchors = { trustAnchorsPem: peopleAnchorPem, identityAnchorsPem: trustAnchorPem };
    const store = await read(await signWith(makeIdentity()), anchors);
    expect(failures(store).sort()).toEqual([UNCONFIRMED, 'signingCredential.untrusted']);
  });

  it('makes the file invalid when one byte of the identity was changed', async () => {
    const signed = await signWith(makeIdentity());
    const at = signed.indexOf('Ann Author', signed.indexOf('cawg.identity'));
    const changed = Buffer.from(signed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    const store = await read(changed, BOTH);
    expect(store.validation_state).toBe('Invalid');
    expect(failures(store)).toContain('assertion.hashedURI.mismatch');
  });

  it('that signed other content is reported', async () => {
    const signed = await signForged();
    const store = await read(signed, BOTH);
    expect(store.validation_state).toBe('Valid');
    expect(failures(store)).toEqual(['cawg.x509.signature.mismatch']);
  });

  it('whose key does not belong to its certificate is rejected', async () => {
    const { certificatePem } = makeIdentity();
    const identity = { certificatePem, privateKeyPem: makeIdentity().privateKeyPem, roles: [] };
    const { bytes, mediaType } = file('JPEG');
    await expect(desk.sign(bytes, mediaType, { identity })).rejects.toMatchObject({
      code: 'ValidationError',
      details: [{ path: 'identity.key', message: expect.stringContaining('does not belong') }],
    });
  });

  it('cannot be checked with anchors that are not certificates, and the read is rejected', async () => {
    const { bytes } = file('JPEG');
    await expect(read(bytes, { identityAnchorsPem: 'me' })).rejects.toMatchObject({
      details: [{ path: 'identityAnchors' }],
    });
  });
});

/** The identity signed other content. */
async function signForged(): Promise<Uint8Array> {
  const wasm = createRequire(import.meta.url).resolve('@contentauth/c2pa-wasm/c2pa.wasm');
  await loadEngine(await WebAssembly.compile(readFileSync(wasm)));
  const open = (credentials: { certificatePem: string; privateKeyPem: string }) =>
    createCoseSigner(checkSigner(credentials, new Date()));
  const [signer, identity] = [open(makeSigner()), open(makeIdentity())];
  const requestSignature = ({ by, payload, isDraft }: SignatureCall) =>
    by === 'signer'
      ? signer.sign({ payload, isDraft })
      : identity.sign({ payload: Buffer.from('something else'), isDraft });
  const task = {
    kind: 'sign' as const,
    path: '',
    outputPath: '',
    mediaType: 'image/jpeg',
    definition: define(),
    ingredients: [],
    thumbnailBytes: 0,
    isUnsigned: true,
    algorithm: signer.algorithm,
    reserveBytes: signer.reserveBytes,
    identity: { reserveBytes: identity.reserveBytes, roles: [] },
    trustAnchorsPem: undefined,
    identityAnchorsPem: undefined,
    maxBytes: 2 ** 24,
  };
  const thread = { requestSignature, notifyWritten() {}, times: createPassTimes() };
  return signWhole({
    task,
    bytes: file('JPEG').bytes,
    settings: toEngineSettings(undefined),
    thread,
    thumbnail: undefined,
  });
}
