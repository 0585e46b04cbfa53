import { z } from 'zod';
import type { ManifestStore } from './manifest-store.js';
import type { AiDisclosure } from './provenance-assertion.js';
import type { StoredManifest } from './stored-manifest.js';
import { toValidation } from './validation.js';

/**
 * What a file's manifest says of AI. At most one of `isAIGenerated` and `isAIAssisted` is true.
 *
 * `confidence` is `high` when the content's own history states it, by a digital source type or by our own assertion
 * (made with AI, or made without); `medium` when it only follows (a part was made with AI, or the source type
 * leaves it open); `low` when nothing is said of AI, and always when the manifest is not valid.
 */
export const aiDetectionSchema = z
  .object({
    isAIGenerated: z.boolean(),
    isAIAssisted: z.boolean(),
    confidence: z.enum(['high', 'medium', 'low']),
    source: z.literal('c2pa-manifest'),
  })
  .meta({ id: 'AiDetection', description: 'What the manifest says of AI' });

/** What a file's manifest says of AI. */
export type AiDetection = z.output<typeof aiDetectionSchema>;

/** What is said of AI, and how surely. */
interface Finding {
  readonly disclosure: AiDisclosure;
  readonly confidence: AiDetection['confidence'];
}

/**
 * Whether the content was made or edited with AI, as its manifest and those of its earlier versions say; null when
 * there is no manifest.
 *
 * - Made with AI: `trainedAlgorithmicMedia` of the content, or `ai_generated` in our own assertion, in the active
 *   manifest or in that of an earlier version (`parentOf`): an edit does not make a picture less of AI.
 * - Edited with AI: `compositeWithTrainedAlgorithmicMedia`, `trainedAlgorithmicMedia` of an edit alone, or
 *   `ai_assisted`; a part (`componentOf`, `inputTo`) that was made with AI gives this with confidence `medium`.
 *
 * Sources: IPTC NewsCodes "Digital Source Type"; C2PA 2.2 §18.15 (actions).
 *
 * @example
 * const made = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';
 * const data = { actions: [{ action: 'c2pa.created', digitalSourceType: made }] };
 * const manifests = { a: { assertions: [{ label: 'c2pa.actions.v2', data }] } };
 * const store = parseManifestStore({ active_manifest: 'a', manifests, validation_state: 'Valid' });
 * detectAi(store); // => { isAIGenerated: true, isAIAssisted: false, confidence: 'high', source: 'c2pa-manifest' }
 * detectAi(null); // => null
 */
export function detectAi(store: ManifestStore | null): AiDetection | null {
  if (store === null) return null;
  const { disclosure, confidence } = findAi(store, store.active);
  const isBelieved = toValidation(store).state !== 'invalid';
  return {
    isAIGenerated: disclosure === 'ai_generated',
    isAIAssisted: disclosure === 'ai_assisted',
    confidence: isBelieved ? confidence : 'low',
    source: 'c2pa-manifest',
  };
}

/** What one manifest and those behind it say of AI. */
export function findAi(store: ManifestStore, manifest: StoredManifest): Finding {
  const versions = reach(store, [manifest], (relationship) => relationship === 'parentOf');
  const said = versions.flatMap(({ aiStatements }) => [...aiStatements]);
  if (said.includes('generated')) return { disclosure: 'ai_generated', confidence: 'high' };
  if (said.includes('assisted')) return { disclosure: 'ai_assisted', confidence: 'high' };
  const parts = reach(store, versions, () => true).flatMap(({ aiStatements }) => [...aiStatements]);
  const isPartOfAi = parts.includes('generated') || parts.includes('assisted');
  if (isPartOfAi || said.includes('perhaps-assisted'))
    return { disclosure: 'ai_assisted', confidence: 'medium' };
  return { disclosure: null, confidence: said.includes('no-ai') ? 'high' : 'low' };
}

/** The manifests reached over ingredients that count, the given ones first; each once, so that cycles end. */
function reach(
  { manifests }: ManifestStore,
  from: readonly StoredManifest[],
  counts: (relationship: string | undefined) => boolean,
): StoredManifest[] {
  const reached = new Set(from);
  for (const manifest of reached) {
    for (const { relationship, manifestLabel } of manifest.ingredients) {
      const next = manifestLabel === undefined ? undefined : manifests.get(manifestLabel);
      if (next !== undefined && counts(relationship)) reached.add(next);
    }
  }
  return [...reached];
}
