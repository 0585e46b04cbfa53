import {
  type AiLevel,
  type Display,
  detectAi,
  levelOfDetection,
  type Manifest,
  parseManifestStore,
  type StatusCode,
  toDisplay,
  toManifest,
  toValidation,
} from '@colophon/model';
import { type Asset, BMFF, JPEG, PNG } from '@trustnxt/c2pa-ts/asset';
import { SuperBox } from '@trustnxt/c2pa-ts/jumbf';
import { DataHashAssertion, ManifestStore, ValidationResult } from '@trustnxt/c2pa-ts/manifest';
import { type ByteRange, type Container, type FoundStore, viewOf } from './containers/container.js';
import { findContainer } from './containers/find-container.js';
import type { ManifestThumbnails } from './manifest-thumbnail.js';
import { readThumbnails } from './read-thumbnails.js';
import { coversText, isNormalized, locateInText, readTextSample } from './text-store.js';
import { toAsset } from './to-asset.js';
import { toReaderJson } from './to-reader-json.js';

/**
 * Result of the check of Content Credentials in the browser.
 * - `unsupported`: the browser cannot read this format, or the file is too large.
 * - `altered`: something was changed after the signature, or a text has a damaged or incomplete manifest.
 *   `claimedSigner`: the name in the broken signature, which proves nothing.
 * - `unchanged`: the browser does not check the certificate, so the service can still report `invalid`.
 * - `unsure`: the browser cannot judge the Content Credentials.
 */
export type Examined =
  | { kind: 'unsupported' | 'none' | 'unsure' }
  | { kind: 'altered'; codes: StatusCode[]; claimedSigner?: string }
  | (ReadCredentials & { kind: 'unchanged' });

export interface ReadCredentials {
  display: Display;
  ai: AiLevel;
  manifest: Manifest;
  thumbnails: ManifestThumbnails;
  codes: StatusCode[];
}

/** Failures that every implementation reports (C2PA 2.3 §15.2.2). Others can be errors in the library of the page. */
const CERTAIN = [
  'assertion.dataHash.mismatch',
  'assertion.bmffHash.mismatch',
  'assertion.hashedURI.mismatch',
  'claimSignature.mismatch',
];

/** The library has no trust list, and reports these codes for every certificate. */
const UNFOUNDED = /^(signingCredential|timeStamp)\.trusted$/;
const UNKNOWN_SIGNER: StatusCode = { code: 'signingCredential.untrusted', kind: 'failure' };

/** Markers of a manifest store in any format. The last one is `jumdc2pa` in base64. */
const TRACES = ['jumdc2', 'c2pa.claim', 'anVtZGMycGE'].map((text) => new TextEncoder().encode(text));

export async function examine(bytes: Uint8Array): Promise<Examined> {
  try {
    const Format = [JPEG, PNG, BMFF].find((one) => one.canRead(bytes));
    if (Format !== undefined) return await examineAsset(bytes, new Format(bytes));
    const container = findContainer(bytes);
    if (container !== undefined) return await examineContainer(bytes, container);
    const sample = readTextSample(bytes);
    return sample === undefined ? { kind: 'unsupported' } : await examineText(bytes, sample);
  } catch {
    return { kind: 'unsure' }; // the service may understand the file
  }
}

async function examineAsset(bytes: Uint8Array, asset: Asset): Promise<Examined> {
  const jumbf = asset.getManifestJUMBF();
  if (jumbf === undefined) return withoutStore(bytes);
  const store = readStore(jumbf);
  return judge(store, await validate(store, asset));
}

/** Returns `unsure` for several stores, for an incomplete store, and if the hash does not cover the file. */
async function examineContainer(bytes: Uint8Array, container: Container): Promise<Examined> {
  const [found, ...others] = container.listStores(bytes);
  if (found === undefined) return withoutStore(bytes);
  if (others.length > 0) return { kind: 'unsure' };
  const store = readStore(found.store);
  const [range = { start: 0, length: 0 }] = found.carrier;
  const examined = judge(store, await validate(store, toAsset(bytes, { store: found.store, range })));
  const isWhole = isComplete(found.store) && coversFile(store, found, container);
  return examined.kind === 'unchanged' && !isWhole ? { kind: 'unsure' } : examined;
}

/** Whether the store has the length that it states (ISO/IEC 19566-5 §B.2). Further bytes could be hidden data. */
function isComplete(store: Uint8Array): boolean {
  return store.length >= 4 && viewOf(store).getUint32(0) === store.length;
}

/** Whether the verified hash covers every byte outside of the carrier, and at most `maxCoveredBytes` at its end. */
function coversFile(
  store: ManifestStore,
  { carrier }: FoundStore,
  { maxCoveredBytes }: Pick<Container, 'maxCoveredBytes'>,
): boolean {
  const all = store.getActiveManifest()?.assertions?.assertions ?? [];
  const { exclusions = [] } = all.find((one) => one instanceof DataHashAssertion) ?? {};
  const isInCarrier = ({ start, length }: ByteRange) =>
    carrier.some((part) => part.start <= start && start + length <= part.start + part.length);
  const isLeftOut = (part: ByteRange) =>
    maxCoveredBytes === undefined ||
    exclusions.some(({ start, length }) => start === part.start && part.length - length <= maxCoveredBytes);
  return exclusions.length > 0 && exclusions.every(isInCarrier) && carrier.every(isLeftOut);
}

function withoutStore(bytes: Uint8Array): Examined {
  return { kind: holdsTrace(bytes) ? 'unsure' : 'none' };
}

function readStore(jumbf: Uint8Array): ManifestStore {
  return ManifestStore.read(SuperBox.fromBuffer(Uint8Array.from(jumbf)));
}

async function examineText(bytes: Uint8Array, sample: string): Promise<Examined> {
  const located = locateInText(bytes, sample);
  if (located.kind === 'none') return { kind: 'none' };
  if (located.kind === 'damaged')
    return { kind: 'altered', codes: [{ code: located.code, kind: 'failure' }] };
  if (located.kind === 'remote' || !isNormalized(bytes, located)) return { kind: 'unsure' };
  const store = readStore(located.store);
  const asset = toAsset(bytes, { store: located.store, range: located.carrier.inner });
  const examined = judge(store, await validate(store, asset));
  if (examined.kind !== 'unchanged' || coversText(store, bytes, located)) return examined;
  return {
    kind: 'altered',
    codes: [{ code: 'assertion.dataHash.malformed', kind: 'failure' }],
    ...readClaim(store),
  };
}

function holdsTrace(bytes: Uint8Array): boolean {
  return TRACES.some((trace) => {
    for (let at = bytes.indexOf(trace[0] ?? 0); at !== -1; at = bytes.indexOf(trace[0] ?? 0, at + 1))
      if (trace.every((byte, index) => bytes[at + index] === byte)) return true;
    return false;
  });
}

async function validate(store: ManifestStore, asset: Asset): Promise<ValidationResult> {
  try {
    return await store.validate(asset);
  } catch (error) {
    return ValidationResult.fromError(error instanceof Error ? error : new Error(String(error)));
  }
}

function judge(store: ManifestStore, { isValid, statusEntries }: ValidationResult): Examined {
  const codes = statusEntries
    .filter(({ code }) => !UNFOUNDED.test(code))
    .map(
      ({ code, url, success }): StatusCode => ({
        code,
        kind: success === false ? 'failure' : 'success',
        ...(url === undefined ? {} : { url }),
      }),
    );
  const isAltered = codes.some(({ code, kind }) => kind === 'failure' && CERTAIN.includes(code));
  if (isAltered) return { kind: 'altered', codes, ...readClaim(store) };
  if (!isValid) return { kind: 'unsure' };
  const read = parseManifestStore(toReaderJson(store, [...codes, UNKNOWN_SIGNER]));
  const validation = toValidation(read);
  if (validation.state === 'invalid') return { kind: 'unsure' };
  const ai = levelOfDetection(detectAi(read));
  const shown = { manifest: toManifest(read), thumbnails: readThumbnails(store) };
  return { kind: 'unchanged', display: toDisplay(read, validation), ai, ...shown, codes };
}

/** Reads the name in a broken signature. Removes invisible characters, which can change the direction of text. */
function readClaim(store: ManifestStore): { claimedSigner?: string } {
  const name = store.getActiveManifest()?.signature?.signatureData.certificate?.subjectName;
  const claimedSigner = (name?.getField('O')[0] ?? name?.getField('CN')[0])?.replace(/\p{Cf}/gu, '').trim();
  return claimedSigner ? { claimedSigner } : {};
}
