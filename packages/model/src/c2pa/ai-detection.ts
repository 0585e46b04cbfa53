import * as z from 'zod';
import type { SourceTypeMeaning } from './digital-source-type.js';
import type { ManifestStore } from './manifest-store.js';
import type { AiDisclosure } from './provenance-assertion.js';
import type { StoredManifest } from './stored-manifest.js';
import { toValidation } from './validation.js';
import { wasAltered } from './validation-summary.js';

/**
 * What a file's manifest says of AI. At most one of `isAIGenerated` and `isAIAssisted` is true.
 *
 * `confidence` is `high` when the content's own history states it, by a digital source type or by our own assertion
 * (made with AI, or made without); `medium` when it only follows (a part was made with AI, or the source type
 * leaves it open); `low` when nothing is said of AI, when only the manifest of an altered earlier version or part says
 * it, and always when the manifest is not valid.
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
export interface AiFinding {
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
 * - What had been altered when it was used is believed nothing good: its manifest can say that AI had a part, with
 *   confidence `low`, and not that it had none.
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
 * What each manifest and those behind it say of AI. All of them at once, in time that grows with the number of
 * ingredients: each statement is spread from where it is made to all that was made from it.
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

/** Which manifests each statement reaches over these uses. */
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

/** That the content of one manifest went into that of another. */
interface Use {
  readonly of: StoredManifest;
  readonly by: StoredManifest;
  readonly relationship: string | undefined;
  /** What was used no longer was what its manifest speaks of. */
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

/** The given manifests and all that their content went into; each once, so that cycles end. */
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
