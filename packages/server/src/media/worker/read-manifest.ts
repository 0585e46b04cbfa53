import type { TextManifest } from '@colophon/model';
import { WasmReader } from '@contentauth/c2pa-wasm';
import { ServiceError } from '../../errors.js';
import { isText } from '../formats.js';
import { interpretManifestStore } from '../interpret-manifest-store.js';
import type { InterpretOptions, ManifestReading } from '../manifest-reading.js';
import type { ManifestStore, ManifestThumbnail, ReadOutcome } from '../media-engine.js';
import type { PassTimes } from '../pass-times.js';
import { hasRemnantOfManifest } from './has-remnant.js';
import { hasIdentity, withIdentityCodes } from './identity-codes.js';
import { bindToText, locateManifest, STORE_TYPE, toTextOutcome } from './read-text.js';
import { assertDescriptionFits, assertStoreFits, type Pass } from './store-limits.js';

/** Maximum total size of the thumbnails in one answer, which omits the others. A file may have any number of them. */
const MAX_THUMBNAIL_BYTES = 16 * 1024 * 1024;
/** This thread interprets longer stores, so that the main thread stays free. */
const LARGE_STORE_CHARACTERS = 16 * 1024;

const CUT_OFF: ReadOutcome = {
  kind: 'broken',
  code: 'ManifestCutOff',
  message: 'The file holds parts of a manifest that its container does not reference.',
  holdsManifest: true,
};

interface ManifestSource {
  bytes: Uint8Array;
  mediaType: string;
  settings: string;
  /** The settings with the trust anchors of identities. */
  identitySettings?: string | undefined;
}

/** `verify` reads no thumbnails. */
interface Purpose {
  pass: Pass;
  times: PassTimes;
  interpretOptions?: InterpretOptions | undefined;
}

/** Rejects when the engine itself fails, and with `PayloadTooLarge` when the store is too large. */
export async function readManifest(
  source: ManifestSource,
  { pass, times, interpretOptions }: Purpose,
): Promise<ReadOutcome> {
  let reader: WasmReader | undefined;
  const located = isText(source) ? locateManifest(source.bytes, source.mediaType) : undefined;
  if (located !== undefined && located.kind !== 'store') return toTextOutcome(located);
  try {
    const opened = await times.time(pass, () => openWithIdentities({ ...source, located, pass }));
    reader = opened.reader;
    const thumbnails = pass === 'verify' ? [] : await times.time('pictures', () => readThumbnails(opened));
    const read = { store: opened.store, thumbnails };
    if (interpretOptions === undefined || !opened.isLarge) return { kind: 'store', ...read };
    return {
      kind: 'interpreted',
      reading: await times.time('tell', () => interpret(read, interpretOptions)),
    };
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    if (located !== undefined) return toOutcomeOfText(error);
    const hasRemnant = () => hasRemnantOfManifest(source.bytes, source.mediaType);
    const outcome = toOutcome(error, hasRemnant);
    return outcome.kind === 'none' && hasRemnant() ? CUT_OFF : outcome;
  } finally {
    reader?.free();
  }
}

function interpret(
  read: Parameters<typeof interpretManifestStore>[0],
  options: InterpretOptions,
): ManifestReading {
  const reading = interpretManifestStore(read, options);
  assertDescriptionFits(reading, 'read');
  return reading;
}

interface LocatedSource extends ManifestSource {
  /** The place of the manifest in a text. */
  located: (TextManifest & { kind: 'store' }) | undefined;
  pass: Pass;
}

interface Opened {
  reader: WasmReader;
  store: ManifestStore;
  isLarge: boolean;
}

/**
 * Reads the file a second time with the trust anchors of identities, and takes only the codes of identities from this
 * reading.
 */
async function openWithIdentities(source: LocatedSource): Promise<Opened> {
  const { identitySettings } = source;
  const opened = await open(source);
  if (identitySettings === undefined || !hasIdentity(opened.store)) return opened;
  const { reader, store } = await open({ ...source, settings: identitySettings });
  reader.free();
  return { ...opened, store: withIdentityCodes(opened.store, store) };
}

/**
 * Opens a file. If the file is a text, opens only its manifest store, because the engine does not know the format of
 * texts.
 */
async function open({ bytes, mediaType, settings, located, pass }: LocatedSource): Promise<Opened> {
  const reader = await (located === undefined
    ? WasmReader.fromBytes(mediaType, bytes, settings)
    : WasmReader.fromBytes(STORE_TYPE, located.store, settings));
  try {
    const json = reader.json();
    assertStoreFits(json, pass);
    const isLarge = json.length > LARGE_STORE_CHARACTERS;
    const store = JSON.parse(json) as ManifestStore;
    if (located === undefined) return { reader, store, isLarge };
    return { reader, store: bindToText(store, { detailed: reader.crJson(), bytes, located }), isLarge };
  } catch (error) {
    reader.free();
    throw error;
  }
}

const CONTAINER_FAULTS = ['InvalidAsset', 'IoError', 'UnsupportedType'];

function toOutcome(error: unknown, hasRemnant: () => boolean): ReadOutcome {
  const known = parseEngineError(error);
  if (known === undefined) throw error;
  if (known.variant === 'JumbfNotFound') return { kind: 'none' };
  if (known.variant === 'RemoteManifestUrl') return { kind: 'remote', url: known.argument.slice(1, -1) };
  const { variant: code, argument: message } = known;
  return { kind: 'broken', code, message, holdsManifest: !CONTAINER_FAULTS.includes(code) || hasRemnant() };
}

/** The text has the wrapper of a manifest store, so the outcome is never `none`. */
function toOutcomeOfText(error: unknown): ReadOutcome {
  const known = parseEngineError(error);
  if (known === undefined) throw error;
  return { kind: 'broken', code: known.variant, message: known.argument, holdsManifest: true };
}

interface NamedAssertion {
  thumbnail?: { format?: string; identifier?: string };
  ingredients?: NamedAssertion[];
}

function readThumbnails({ reader, store }: Opened): ManifestThumbnail[] {
  const owners = Object.values(store.manifests as Record<string, NamedAssertion>).flatMap((manifest) => [
    manifest,
    ...(manifest.ingredients ?? []),
  ]);
  const found = new Map<string, ManifestThumbnail>();
  let totalBytes = 0;
  for (const { thumbnail: { format, identifier } = {} } of owners) {
    if (format === undefined || identifier === undefined || found.has(identifier)) continue;
    const bytes = readResource(reader, identifier);
    if (bytes === undefined || totalBytes + bytes.length > MAX_THUMBNAIL_BYTES) continue;
    totalBytes += bytes.length;
    found.set(identifier, { identifier, mediaType: format, bytes });
  }
  return [...found.values()];
}

/** Returns undefined when the file lacks a resource that the manifest names. */
function readResource(reader: WasmReader, identifier: string): Uint8Array | undefined {
  try {
    return reader.resourceToBytes(identifier);
  } catch (error) {
    if (parseEngineError(error) === undefined) throw error;
    return undefined;
  }
}

/** A text `C2pa(Variant("..."))` or `C2pa(Variant { name: "..." })`. */
export interface EngineError {
  variant: string;
  argument: string;
}

/** Returns undefined for other errors, such as a trap of the compiled code. */
export function parseEngineError(error: unknown): EngineError | undefined {
  if (typeof error !== 'string') return undefined;
  const match = /^C2pa\((\w+)(?:\((.*)\))?/s.exec(error);
  return { variant: match?.[1] ?? '', argument: match?.[2]?.replace(/\)$/, '') ?? '' };
}
