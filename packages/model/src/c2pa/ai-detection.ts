import * as z from 'zod';
import type { SourceTypeMeaning } from './digital-source-type.js';
import type { ManifestStore } from './manifest-store.js';
import type { AiDisclosure } from './provenance-assertion.js';
import type { StoredManifest } from './stored-manifest.js';
import { toValidation } from './validation.js';
import { wasAltered } from './validation-summary.js';

/**
 * Schema of the AI statement of a file's manifest. At most one of `isAIGenerated` and `isAIAssisted` is true.
 *
 * `confidence` has one of these values:
 *
 * - `high`: the content's own history states the result (made with AI, edited with AI, or made without AI). It does so
 *   by a digital source type or by the assertion `org.colophon.provenance`.
 * - `medium`: the result is indirect. A part was made or edited with AI, or the source type leaves open whether AI took
 *   part.
 * - `low`: the manifest has no statement about AI, or all its statements are about content that was altered before its
 *   use. An invalid manifest always has `low`.
 */
export const aiDetectionSchema = z
  .object({
    isAIGenerated: z.boolean(),
    isAIAssisted: z.boolean(),
    confidence: z.enum(['high', 'medium', 'low']),
    source: z.literal('c2pa-manifest'),
  })
  .meta({ id: 'AiDetection', description: 'The AI statement of the manifest' });

/** The AI statement of a file's manifest. */
export type AiDetection = z.output<typeof aiDetectionSchema>;

export interface AiFinding {
  readonly disclosure: AiDisclosure;
  readonly confidence: AiDetection['confidence'];
}

/**
 * Returns whether AI made or edited the content, according to its manifest and the manifests of its earlier versions
 * and parts. Returns null when there is no manifest.
 *
 * - Made with AI: `trainedAlgorithmicMedia` of the content, or `ai_generated` in the assertion
 *   `org.colophon.provenance`, in the active manifest or in the manifest of an earlier version (`parentOf`). A later
 *   edit does not change this result.
 * - Edited with AI: `compositeWithTrainedAlgorithmicMedia`, or `ai_assisted`, or `trainedAlgorithmicMedia` as the
 *   source type of an edit when AI did not make the original content. A part (`componentOf`, `inputTo`) that was made
 *   or edited with AI gives this result with confidence `medium`.
 * - If an earlier version or a part was altered before its use, its manifest counts only if it states that AI took part
 *   or may have taken part. The confidence is then `low`.
 *
 * Sources: IPTC NewsCodes "Digital Source Type"; C2PA 2.3 §18.15 (actions).
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
  const { disclosure, confidence } = findAi(store)(store.active);
  const isBelieved = toValidation(store).state !== 'invalid';
  return {
    isAIGenerated: disclosure === 'ai_generated',
    isAIAssisted: disclosure === 'ai_assisted',
    confidence: isBelieved ? confidence : 'low',
    source: 'c2pa-manifest',
  };
}

/**
 * A statement in a manifest also counts for content that was made from its content. A fixed number of passes covers all
 * manifests, so the time is linear in the number of ingredients.
 */
export function findAi(store: ManifestStore): (manifest: StoredManifest) => AiFinding {
  const edges = usesOf(store);
  const believed = spreadAll(
    store,
    edges.filter(({ isAltered }) => !isAltered),
  );
  const claimed = spreadAll(store, edges);
  return (manifest) => {
    if (believed.generated.has(manifest)) return { disclosure: 'ai_generated', confidence: 'high' };
    if (believed.assisted.has(manifest)) return { disclosure: 'ai_assisted', confidence: 'high' };
    if (believed.perhaps.has(manifest)) return { disclosure: 'ai_assisted', confidence: 'medium' };
    if (claimed.generated.has(manifest)) return { disclosure: 'ai_generated', confidence: 'low' };
    if (claimed.assisted.has(manifest) || claimed.perhaps.has(manifest))
      return { disclosure: 'ai_assisted', confidence: 'low' };
    return { disclosure: null, confidence: believed.withoutAi.has(manifest) ? 'high' : 'low' };
  };
}

/**
 * Returns, for each AI statement, the manifests to which it applies. A use leads from the used content (`of`) to the
 * content made from it (`by`).
 */
function spreadAll({ manifests }: ManifestStore, uses: readonly Use[]) {
  const versions = uses.filter(({ relationship }) => relationship === 'parentOf');
  const saying = (...statements: SourceTypeMeaning[]) =>
    [...manifests.values()].filter(({ aiStatements }) => statements.some((said) => aiStatements.has(said)));
  const partOfAi = spread(saying('generated', 'assisted'), uses);
  return {
    generated: spread(saying('generated'), versions),
    assisted: spread(saying('assisted'), versions),
    perhaps: new Set([...partOfAi, ...spread(saying('perhaps-assisted'), versions)]),
    withoutAi: spread(saying('no-ai'), versions),
  };
}

interface Use {
  readonly of: StoredManifest;
  readonly by: StoredManifest;
  readonly relationship: string | undefined;
  /** The manifest `of` then does not describe the used content. */
  readonly isAltered: boolean;
}

function usesOf({ manifests }: ManifestStore): Use[] {
  return [...manifests.values()].flatMap((by) =>
    by.ingredients.flatMap(({ manifestLabel, relationship, codes }) => {
      const of = manifests.get(manifestLabel ?? '');
      return of === undefined ? [] : [{ of, by, relationship, isAltered: wasAltered(codes) }];
    }),
  );
}

/**
 * Returns `from`, and every manifest whose content was made from it, also in several steps. Visits each manifest once,
 * so a cycle ends.
 */
function spread(from: readonly StoredManifest[], uses: readonly Use[]): ReadonlySet<StoredManifest> {
  const users = new Map<StoredManifest, StoredManifest[]>();
  for (const { of, by } of uses) {
    const known = users.get(of);
    if (known === undefined) users.set(of, [by]);
    else known.push(by);
  }
  const reached = new Set(from);
  for (const manifest of reached) for (const user of users.get(manifest) ?? []) reached.add(user);
  return reached;
}
