import type { Match } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { activeManifestOf, extractStore } from '../../media/extract-store.js';
import { readExact } from '../../search/descriptors.sql.js';
import type { RecordNeeds } from '../needs.js';
import { requireContent } from '../read-content.js';
import { findMatches } from './find-matches.js';
import { EXACT_METHOD, searchFile } from './search-file.js';
import { parseBinding } from './soft-binding.js';
import { readBound, readLabelledCid, readLabels } from './soft-bindings.sql.js';
import type { StagedQuery } from './stage-query.js';

/** A manifest that content likely had; the score is 0 to 100 (C2PA Soft Binding Resolution API). */
export interface ManifestMatch {
  manifestId: string;
  similarityScore: number;
}

/** Manifests of recorded content that a file is, or was made from. */
export async function findManifestsOfFile(
  needs: RecordNeeds,
  projectId: string,
  { file, maxResults, signal }: { file: StagedQuery; maxResults: number; signal: AbortSignal },
): Promise<ManifestMatch[]> {
  const { matches } = await searchFile(needs, projectId, { file, limit: Number.POSITIVE_INFINITY, signal });
  return toManifests(needs, projectId, { matches, maxResults });
}

interface BindingQuery {
  binding: { alg: string; value: string };
  maxResults: number;
  signal: AbortSignal;
}

/** Manifests of recorded content that a soft binding leads to. */
export async function findManifestsOfBinding(
  needs: RecordNeeds,
  projectId: string,
  { binding, maxResults, signal }: BindingQuery,
): Promise<ManifestMatch[]> {
  const matches = await resolveBinding(needs, projectId, { given: binding, signal });
  return toManifests(needs, projectId, { matches, maxResults });
}

async function resolveBinding(
  needs: RecordNeeds,
  projectId: string,
  { given, signal }: { given: BindingQuery['binding']; signal: AbortSignal },
): Promise<Match[]> {
  const binding = parseBinding(given);
  const { reads, matching, scheduler } = needs;
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

async function toManifests(
  { reads }: RecordNeeds,
  projectId: string,
  { matches, maxResults }: { matches: readonly Match[]; maxResults: number },
): Promise<ManifestMatch[]> {
  const labelled = await readLabels(
    reads,
    projectId,
    matches.map(({ cid }) => cid),
  );
  const labels = new Map(labelled.map(({ cid, label }) => [cid, label]));
  return matches
    .flatMap(({ cid, score }) => {
      const manifestId = labels.get(cid);
      return manifestId === undefined ? [] : [{ manifestId, similarityScore: Math.round(score * 100) }];
    })
    .slice(0, maxResults);
}

/** The manifest store with this manifest as the active one, or that manifest alone, as it lies in the stored file. */
export async function requireManifest(
  needs: RecordNeeds,
  projectId: string,
  terms: { label: string; activeOnly: boolean; maxBytes: number },
): Promise<Buffer> {
  const { label, activeOnly, maxBytes } = terms;
  const none = () => new ServiceError('NotFound', `No manifest ${label} is stored in this project.`);
  const cid = await readLabelledCid(needs.reads, projectId, label);
  if (cid === undefined) throw none();
  const content = await requireContent({ ...needs, provenance: needs.reads }, projectId, cid);
  if (content.sizeBytes > maxBytes) throw none();
  const chunks: Uint8Array[] = [];
  for await (const chunk of await content.open()) chunks.push(chunk);
  const store = extractStore(Buffer.concat(chunks), content.mimeType);
  const found = store !== undefined && activeOnly ? activeManifestOf(store) : store;
  if (found === undefined || !found.includes(label)) throw none();
  return found;
}
