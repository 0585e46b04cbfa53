import type { PublishedFacts } from '@colophon/model';
import { told } from './facts.js';

type Maker = PublishedFacts['makers'][number];

/** The most important facts in one sentence: who made it, and whether with AI. */
export function describeOrigin({ ai, makers, tools }: PublishedFacts): string {
  const who = nameMakers(makers);
  const named = tools.join(', ');
  const parts = [
    told.made,
    ai === 'generated' && !isOneAi(makers) ? told.withAi(named) : '',
    who === '' ? '' : told.by(who),
  ];
  const made = `${parts.filter(Boolean).join(' ')}.`;
  const isEmpty = who === '' && ai !== 'generated';
  const more =
    ai === 'assisted'
      ? told.helped(named)
      : ai === 'withheld'
        ? told.toolsWithheld
        : isOneAi(makers)
          ? aiTools(named)
          : '';
  return [isEmpty ? '' : made, more].filter(Boolean).join(' ') || told.short.plain;
}

/** The tools of a content whose makers are all AIs; the sentence already names the makers. */
function aiTools(named: string): string {
  return named === '' ? '' : `${named}.`;
}

function isOneAi(makers: readonly Maker[]): boolean {
  return makers.length > 0 && makers.every(({ role }) => role === 'ai');
}

/** The names of the makers, or their kinds if names are withheld. */
function nameMakers(makers: readonly Maker[]): string {
  const names = [...new Set(makers.map(nameMaker))];
  const [last = ''] = names.slice(-1);
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

/** The name of a maker, or the kind if the name is withheld. */
export function nameMaker({ role, name }: Maker): string {
  const plain: Record<string, string> = told.roles;
  const kind = plain[role] ?? told.roles.other;
  if (name === undefined) return kind;
  return role === 'ai' ? `the AI ${name}` : name;
}

/** Further facts: the date of the record, and the length of the history. */
export function describeRecord({ recordedAt, steps, sources, complete }: PublishedFacts): string[] {
  const count = steps === 0 ? '' : `${told.steps(steps)}${told.sources(sources)}.`;
  const recorded = recordedAt === undefined ? '' : told.recorded(formatDay(recordedAt));
  return [recorded, count, complete ? '' : told.cut].filter(Boolean);
}

/** A short text for a badge. */
export function describeShort({ ai, makers }: PublishedFacts): string {
  if (ai === 'generated' || ai === 'assisted') return told.short[ai];
  const [maker] = makers;
  return maker?.name === undefined ? told.short.plain : `${told.made} ${told.by(nameMakers(makers))}`;
}

/** A day in words. */
export function formatDay(instant: string): string {
  return new Date(instant).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
}
