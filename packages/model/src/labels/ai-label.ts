import * as z from 'zod';
import type { AiDetection } from '../c2pa/ai-detection.js';
import { type AiDisclosure, aiDisclosureSchema } from '../c2pa/provenance-assertion.js';
import type { PublishedFacts } from '../publications/published-history.js';
import { LABEL_ICONS, type LabelIcon } from './label-messages.js';

/** The levels of AI in content, from most to least. `unstated`: no record states whether AI took part. */
export const AI_LEVELS = ['generated', 'assisted', 'involved', 'human', 'unstated'] as const;

/** A level of AI in content. */
export type AiLevel = (typeof AI_LEVELS)[number];

/** Schema of a row of the table of labels. */
export const aiLabelSchema = z
  .object({
    level: z.enum(AI_LEVELS),
    disclosure: aiDisclosureSchema.optional().meta({
      description: 'Absent when no disclosure has this level; null states that AI took no part',
    }),
    icon: z.enum(LABEL_ICONS).nullable().meta({ description: 'Null: the level needs no label' }),
  })
  .meta({ id: 'AiLabel' });

/** A row of the table of labels. */
export type AiLabel = z.output<typeof aiLabelSchema>;

/**
 * The only table that maps an AI disclosure to a level and to an icon. The disclosure null states that no AI took part,
 * and has the level `human`. Without a statement, the level is `unstated`. The levels `human` and `unstated` have no
 * icon.
 */
export const AI_LABELS: readonly Readonly<AiLabel>[] = [
  { level: 'generated', disclosure: 'ai_generated', icon: 'ai-generated' },
  { level: 'assisted', disclosure: 'ai_assisted', icon: 'ai-modified' },
  { level: 'involved', icon: 'ai' },
  { level: 'human', disclosure: null, icon: null },
  { level: 'unstated', icon: null },
];

/**
 * Returns the level of a disclosure. Undefined means that nothing is recorded.
 *
 * @example
 * [levelOfDisclosure(null), levelOfDisclosure(undefined)]; // => ['human', 'unstated']
 */
export function levelOfDisclosure(disclosure: AiDisclosure | undefined): AiLevel {
  if (disclosure === undefined) return 'unstated';
  return AI_LABELS.find((label) => label.disclosure === disclosure)?.level ?? 'unstated';
}

/**
 * Returns the level of the AI statement of a manifest. `detection` is null without a manifest. With confidence
 * `medium`, the level is `involved`: AI made or edited only a part, or the manifest leaves open whether AI took part.
 *
 * @example
 * const said = { isAIGenerated: false, isAIAssisted: false, source: 'c2pa-manifest' };
 * levelOfDetection({ ...said, confidence: 'high' }); // => 'human'
 * levelOfDetection({ ...said, confidence: 'low' }); // => 'unstated'
 */
export function levelOfDetection(detection: AiDetection | null): AiLevel {
  return isIndirect(detection) ? 'involved' : levelOfDisclosure(disclosureOfDetection(detection));
}

/**
 * Returns the disclosure that a manifest states; undefined without a statement and for the level `involved`.
 */
export function disclosureOfDetection(detection: AiDetection | null): AiDisclosure | undefined {
  if (isIndirect(detection)) return undefined;
  if (detection?.isAIGenerated) return 'ai_generated';
  if (detection?.isAIAssisted) return 'ai_assisted';
  return detection?.confidence === 'high' ? null : undefined;
}

function isIndirect(detection: AiDetection | null): boolean {
  return detection?.isAIAssisted === true && detection.confidence === 'medium';
}

/** Returns the disclosure of a level; undefined for a level without a disclosure. */
export function disclosureOfLevel(level: AiLevel): AiDisclosure | undefined {
  return AI_LABELS.find((label) => label.level === level)?.disclosure;
}

/**
 * Returns the level of published facts. `sources` (AI only in the sources of the content) becomes `involved`.
 * `withheld` becomes `unstated`. All other values stay the same.
 */
export function levelOfFacts(ai: PublishedFacts['ai']): AiLevel {
  if (ai === 'sources') return 'involved';
  return ai === 'withheld' ? 'unstated' : ai;
}

/**
 * Returns the icon of a level, or null when the level needs no label.
 *
 * @example
 * [iconOfLevel('assisted'), iconOfLevel('human')]; // => ['ai-modified', null]
 */
export function iconOfLevel(level: AiLevel): LabelIcon | null {
  return AI_LABELS.find((label) => label.level === level)?.icon ?? null;
}
