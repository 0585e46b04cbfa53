import { z } from 'zod';
import type { SourceTypeMeaning } from './digital-source-type.js';
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
  const versions = edges.filter(({ relationship }) => relationship === 'parentOf');
  const saying = (...statements: SourceTypeMeaning[]) =>
    [...store.manifests.values()].filter(({ aiStatements }) =>
      statements.some((said) => aiStatements.has(said)),
    );
  const generated = spread(saying('generated'), versions);
  const assisted = spread(saying('assisted'), versions);
  const partOfAi = spread(saying('generated', 'assisted'), edges);
  const perhaps = spread(saying('perhaps-assisted'), versions);
  const withoutAi = spread(saying('no-ai'), versions);
  return (manifest) => {
    if (generated.has(manifest)) return { disclosure: 'ai_generated', confidence: 'high' };
    if (assisted.has(manifest)) return { disclosure: 'ai_assisted', confidence: 'high' };
    if (partOfAi.has(manifest) || perhaps.has(manifest)) {
      return { disclosure: 'ai_assisted', confidence: 'medium' };
    }
    return { disclosure: null, confidence: withoutAi.has(manifest) ? 'high' : 'low' };
  };
}

/** That the content of one manifest went into that of another. */
interface Use {
  readonly of: StoredManifest;
  readonly by: StoredManifest;
  readonly relationship: string | undefined;
}

function usesOf({ manifests }: ManifestStore): Use[] {
  return [...manifests.values()].flatMap((by) =>
    by.ingredients.flatMap(({ manifestLabel, relationship }) => {
      const of = manifests.get(manifestLabel ?? '');
      return of === undefined ? [] : [{ of, by, relationship }];
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
