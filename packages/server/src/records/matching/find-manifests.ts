import { ISCC_BINDING, type Match } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import type { ByteSource } from '../../media/byte-source.js';
import { type FoundManifest, findManifest } from '../../media/find-manifest.js';
import { CHUNK_BYTES, isEncoded, MAX_LABEL_BYTES } from '../../media/find-store.js';
import type { LazyEngine } from '../../media/lazy-engine.js';
import { untilAborted } from '../../platform/db/database.js';
import type { Turn } from '../../platform/work/scheduler.js';
import { readExact } from '../../search/descriptors.sql.js';
import type { RecordDeps } from '../deps.js';
import type { StagedMedia } from '../draft/stage-media.js';
import { type Content, requireContent } from '../pinning/read-content.js';
import { findMatches } from './find-matches.js';
import { isIsccBinding, parseIsccBinding } from './parse-iscc.js';
import { EXACT_METHOD, searchFile } from './search-file.js';
import { searchIscc } from './search-iscc.js';
import { digestBinding, parseBinding } from './soft-binding.js';
import { readBound, readLabel, readLabelledCid } from './soft-bindings.sql.js';

/** Maximum number of contents that a search by ISCC returns. */
const MAX_NEAR = 100;

/** `similarityScore`: from 0 to 100 (C2PA Soft Binding Resolution API). */
export interface ManifestMatch {
  manifestId: string;
  similarityScore: number;
}

export async function findManifestsOfFile(
  deps: RecordDeps,
  projectId: string,
  { file, maxResults, signal }: { file: StagedMedia; maxResults: number; signal: AbortSignal },
): Promise<ManifestMatch[]> {
  const { matches } = await searchFile(deps, projectId, { file, limit: Number.POSITIVE_INFINITY, signal });
  return toManifests(deps, projectId, { matches, maxResults, signal });
}

interface BindingQuery {
  binding: { alg: string; value: string };
  maxResults: number;
  signal: AbortSignal;
}

export async function findManifestsOfBinding(
  deps: RecordDeps,
  projectId: string,
  { binding, maxResults, signal }: BindingQuery,
): Promise<ManifestMatch[]> {
  const matches = await resolveBinding(deps, projectId, { given: binding, signal });
  return toManifests(deps, projectId, { matches, maxResults, signal });
}

async function resolveBinding(
  deps: RecordDeps,
  projectId: string,
  { given, signal }: { given: BindingQuery['binding']; signal: AbortSignal },
): Promise<Match[]> {
  if (given.alg === ISCC_BINDING) return resolveIscc(deps, projectId, { given, signal });
  const binding = parseBinding(given);
  const { reads, matching, scheduler } = deps;
  if (binding.kind === 'asserted') {
    const bound = await readBound(reads, projectId, binding.digest);
    return bound.map((content) => ({ ...content, score: 1, method: given.alg }));
  }
  if (binding.kind === 'content') {
    const exact = await readExact(reads, projectId, [binding.cid]);
    return exact === undefined ? [] : [{ ...exact, score: 1, method: EXACT_METHOD }];
  }
  const found = await scheduler.run({ projectId, kind: 'search', signal }, (signal, hold) =>
    findMatches({ db: reads, matching }, projectId, { ...binding, place: { signal, hold } }),
  );
  return found.map(({ match }) => match);
}

/** Finds content whose manifest has exactly this ISCC, then content whose stored ISCC is the same or near. */
async function resolveIscc(
  deps: RecordDeps,
  projectId: string,
  { given, signal }: { given: BindingQuery['binding']; signal: AbortSignal },
): Promise<Match[]> {
  const method = given.alg;
  const bound = await readBound(deps.reads, projectId, digestBinding(given));
  const asserted = bound.map((content) => ({ ...content, score: 1, method }));
  // A manifest of another program may contain a value that is not an ISCC.
  if (asserted.length > 0 && !isIsccBinding(given.value)) return asserted;
  const query = parseIsccBinding(given.value);
  const { matches } = await searchIscc(deps, projectId, { query, limit: MAX_NEAR, signal });
  const known = new Set(asserted.map(({ cid }) => cid));
  const found = matches.filter(({ cid }) => !known.has(cid));
  return [...asserted, ...found.map(({ cid, type, score }) => ({ cid, type, score, method }))];
}

interface FoundMatches {
  matches: readonly Match[];
  maxResults: number;
  signal: AbortSignal;
}

async function toManifests(
  deps: RecordDeps,
  projectId: string,
  { matches, maxResults, signal }: FoundMatches,
): Promise<ManifestMatch[]> {
  const reads = untilAborted(deps.reads, signal);
  const manifests: ManifestMatch[] = [];
  for (const { cid, score } of matches) {
    if (manifests.length >= maxResults) break;
    const manifestId = await readLabel(reads, projectId, cid);
    if (manifestId !== undefined) manifests.push({ manifestId, similarityScore: Math.round(score * 100) });
  }
  return manifests;
}

export interface StoredManifest {
  sha256: string;
  sizeBytes: number;
  open(): Buffer | AsyncIterable<Uint8Array>;
}

interface ManifestOptions {
  label: string;
  activeOnly: boolean;
  maxBytes: number;
  signal: AbortSignal;
  /** Replaces the project's own place in the fair queue. */
  turn?: Pick<Turn, 'projectId' | 'isBackground'> | undefined;
}

/**
 * Returns the manifest store with this label or, with `activeOnly`, its active manifest, which must have the label.
 * Throws `NotFound` also when the file exceeds `maxBytes`, or its manifest store exceeds 32 MiB.
 */
export async function requireManifest(
  deps: RecordDeps & { engine: LazyEngine },
  projectId: string,
  { label, activeOnly, maxBytes, signal, turn: given }: ManifestOptions,
): Promise<StoredManifest> {
  const none = () => noManifest(label);
  if (Buffer.byteLength(label) > MAX_LABEL_BYTES) throw none();
  const cid = await readLabelledCid(deps.reads, projectId, label);
  if (cid === undefined) throw none();
  const content = await requireContent({ ...deps, provenance: deps.reads }, projectId, { cid, signal });
  if (content.sizeBytes > maxBytes) throw none();
  await content.ready();
  const wanted = { label, activeOnly, turn: { projectId, ...given, signal } };
  const found = await search(deps, content, wanted);
  if (found === undefined) throw none();
  const { bytes, sha256 } = found;
  return { sha256, sizeBytes: bytes.sizeBytes, open: () => bytes.bytes ?? bytes.read(0, bytes.sizeBytes) };
}

/** Searches a text or SVG in a media thread, because the search can take a second. */
async function search(
  { engine, scheduler }: Pick<RecordDeps, 'scheduler'> & { engine: LazyEngine },
  content: Content,
  { turn, ...named }: Pick<ManifestOptions, 'label' | 'activeOnly'> & { turn: Omit<Turn, 'kind'> },
): Promise<FoundManifest | undefined> {
  const wanted = { ...named, mediaType: content.mimeType };
  if (isEncoded(content.mimeType)) {
    const { projectId: tenant, isBackground, signal } = turn;
    const file = toSource(content, signal);
    return (await engine.get()).find({ ...wanted, file, tenant, isBackground, signal });
  }
  const media = { ...turn, kind: 'media', memoryBytes: CHUNK_BYTES } as const;
  return scheduler.run(media, (signal) => findManifest(toSource(content, signal), wanted));
}

/** Returns the same error for a manifest that is absent, and for a manifest that the caller may not read. */
export function noManifest(label: string): ServiceError {
  return new ServiceError('NotFound', `No manifest ${label} is stored here.`);
}

function toSource({ sizeBytes, open }: Content, signal?: AbortSignal): ByteSource {
  return {
    sizeBytes,
    async *read(start, end) {
      if (start >= end) return;
      for await (const chunk of await open({ start, end: end - 1 }, CHUNK_BYTES)) {
        signal?.throwIfAborted();
        yield chunk;
      }
    },
  };
}
