import { isMarkerUnknown, type PublishedFacts, shortenNames } from '@colophon/model';
import { formatInstant, formatList } from '../languages/formats.js';
import { aiLevels } from './ai-levels.js';
import { factTexts } from './facts.js';

/** The levels, from the weakest to the strongest statement. */
export const LEVELS: readonly PublishedFacts['ai'][] = [
  'unstated',
  'human',
  'withheld',
  'sources',
  'involved',
  'assisted',
  'generated',
];

type Maker = PublishedFacts['makers'][number];

export function describeOrigin(facts: PublishedFacts): string {
  return [describeLevel(facts), describeMaking(facts)].filter(Boolean).join(' ') || factTexts.plain;
}

/** The result is empty if no AI is recorded but steps are missing, because a missing step may have used AI. */
function describeLevel(facts: PublishedFacts): string {
  if (facts.ai === 'unstated' && !facts.complete) return '';
  return `${nameLevel(facts)}.${facts.aiCorrected === true ? ` ${aiLevels.corrected}` : ''}`;
}

type LevelFacts = Pick<PublishedFacts, 'ai' | 'sources' | 'withoutAiBy'>;

/** The statement that a file is made without AI does not cover its sources. */
export function nameLevel(facts: LevelFacts): string {
  const { ai, sources } = facts;
  if (ai !== 'human') return aiLevels[ai];
  return nameStatement(facts) ?? (sources > 0 ? aiLevels.notSources : aiLevels.human);
}

export function nameStatement({ sources, withoutAiBy }: LevelFacts): string | undefined {
  if (withoutAiBy === undefined) return undefined;
  const name = nameMaker(withoutAiBy);
  return sources > 0 ? aiLevels.statedForFile(name) : aiLevels.statedBy(name);
}

/** Can be empty. */
export function describeMaking(facts: PublishedFacts): string {
  const { ai, tools } = facts;
  const made = sayMaking(facts);
  return [
    ai === 'involved' ? factTexts.whereWithheld : '',
    made === '' ? '' : `${made}.`,
    tools.length === 0 ? '' : factTexts.tools(tools.join(', ')),
  ]
    .filter(Boolean)
    .join(' ');
}

/**
 * Has no full stop. For a marked copy, names the makers of the work, and then who marked the copy. `isShort` leaves out
 * the makers of sources.
 */
function sayMaking(facts: PublishedFacts, isShort = false): string {
  const who = nameMakers(facts);
  const ofSources = nameSourceMakers(facts);
  if (facts.act === 'marked' && ofSources)
    return factTexts.markedCopyOf(ofSources, isMarkerUnknown(facts) ? '' : who);
  const made = who && `${factTexts.acts[facts.act ?? 'made']} ${factTexts.by(who)}`;
  return made && ofSources && !isShort ? `${made} ${factTexts.fromWork(ofSources)}` : made;
}

function nameSourceMakers({ sourceMakers = [] }: PublishedFacts): string {
  return nameMakers({ makers: sourceMakers });
}

type NamedMakers = Pick<PublishedFacts, 'makers'> & {
  furtherMakers?: PublishedFacts['furtherMakers'] | undefined;
};

/** Returns, for example, `Ann and Bo`. The result is empty without makers. */
export function nameMakers({ makers, furtherMakers }: NamedMakers): string {
  return joinNames(makers.map(nameMaker), furtherMakers);
}

/** Returns, for example, `Ann, Bo, Cy and 2 others`. `further`: number of makers not in `names`. */
export function joinNames(names: readonly string[], further?: number): string {
  const { shown, others } = shortenNames(names, further);
  return formatList(others === 0 ? shown : [...shown, factTexts.others(others)]);
}

export function nameMaker({ role, name }: Maker): string {
  const plain: Record<string, string> = factTexts.roles;
  const kind = plain[role] ?? factTexts.roles.other;
  if (name === undefined) return kind;
  return role === 'ai' ? factTexts.namedAi(name) : name;
}

export function describeRecord(facts: PublishedFacts): string[] {
  const { recordedAt } = facts;
  const recorded = recordedAt === undefined ? [] : [factTexts.recorded(formatInstant(recordedAt))];
  return [...recorded, ...describeLength(facts)];
}

export function describeLength({ steps, sources, complete }: PublishedFacts): string[] {
  const count = steps === 0 ? '' : factTexts.length(steps, sources);
  return [count, complete ? '' : factTexts.cut].filter(Boolean);
}

/** Says the level of AI, or else who made the content. */
export function describeShort(facts: PublishedFacts): string {
  const { ai, makers } = facts;
  if (ai !== 'unstated' && ai !== 'withheld') return nameLevel(facts);
  const made = makers[0]?.name === undefined ? undefined : sayMaking(facts, true);
  if (ai === 'unstated') return made ?? factTexts.plain;
  return made === undefined ? aiLevels.withheld : `${made}. ${aiLevels.withheld}`;
}
