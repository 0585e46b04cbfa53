import type { PublishedFacts } from '@colophon/model';
import { formatInstant, formatList } from '../languages/formats.js';
import { factTexts } from './facts.js';

type Maker = PublishedFacts['makers'][number];

/** Says in a few sentences who made the content, and whether with AI. */
export function describeOrigin(facts: PublishedFacts): string {
  const { ai, act = 'made', makers, sourceMakers = [], tools, complete } = facts;
  const who = nameMakers(makers);
  const ofSources = nameMakers(sourceMakers);
  const named = tools.join(', ');
  const parts = [
    factTexts.acts[act],
    ai === 'generated' && !isOneAi(makers) ? factTexts.withAi(named) : '',
    who === '' ? '' : factTexts.by(who),
    ofSources === '' ? '' : factTexts.fromWork(ofSources),
  ];
  const made = `${parts.filter(Boolean).join(' ')}.`;
  const isEmpty = who === '' && ai !== 'generated';
  const more = {
    generated: isOneAi(makers) ? aiTools(named) : '',
    assisted: factTexts.assisted(named),
    involved: factTexts.involved,
    sources: factTexts.inSources(named),
    human: factTexts.withoutAi,
    // Steps that are left out may have used AI.
    unstated: complete ? factTexts.noneRecorded : '',
    withheld: factTexts.undisclosed,
  };
  return [isEmpty ? '' : made, more[ai]].filter(Boolean).join(' ') || factTexts.short.plain;
}

/** The sentence already names the makers, who are all AIs, so this text has only the tools. */
function aiTools(named: string): string {
  return named === '' ? '' : `${named}.`;
}

function isOneAi(makers: readonly Maker[]): boolean {
  return makers.length > 0 && makers.every(({ role }) => role === 'ai');
}

function nameMakers(makers: readonly Maker[]): string {
  const names = [...new Set(makers.map(nameMaker))];
  return formatList(names);
}

/** Returns the name of a maker, or the kind of a maker without a name. */
export function nameMaker({ role, name }: Maker): string {
  const plain: Record<string, string> = factTexts.roles;
  const kind = plain[role] ?? factTexts.roles.other;
  if (name === undefined) return kind;
  return role === 'ai' ? factTexts.namedAi(name) : name;
}

/** Returns the time of the record and the length of the history as sentences. */
export function describeRecord(facts: PublishedFacts): string[] {
  const { recordedAt } = facts;
  const recorded = recordedAt === undefined ? [] : [factTexts.recorded(formatInstant(recordedAt))];
  return [...recorded, ...describeLength(facts)];
}

/** Returns the length of the history as sentences. */
export function describeLength({ steps, sources, complete }: PublishedFacts): string[] {
  const count = steps === 0 ? '' : factTexts.length(steps, sources);
  return [count, complete ? '' : factTexts.cut].filter(Boolean);
}

/** Says the level of AI, or else who made the content. Never names a maker alone when AI is not disclosed. */
export function describeShort(facts: PublishedFacts): string {
  const { ai, act = 'made', makers } = facts;
  const { plain, ...levels } = factTexts.short;
  if (ai !== 'human' && ai !== 'unstated' && ai !== 'withheld') return levels[ai];
  const [maker] = makers;
  const made =
    maker?.name === undefined ? undefined : `${factTexts.acts[act]} ${factTexts.by(nameMakers(makers))}`;
  if (ai === 'withheld') return made === undefined ? levels.withheld : `${made}; ${levels.withheld}`;
  return made ?? plain;
}
