import type { PublishedFacts } from '@colophon/model';
import { aiLevels } from '../strings/ai-levels.js';
import { nameStatement } from '../strings/describe-facts.js';
import { ui } from '../strings/ui.js';
import { AI_ICONS } from './ai-icons.js';

/**
 * Says that the record, or only corrected entries, state the level of AI. Adds the statement of a maker that no AI was
 * used for the content itself. Undefined if the words for the level already say this.
 */
export function describeSource(
  facts: Pick<PublishedFacts, 'ai' | 'sources' | 'withoutAiBy' | 'aiCorrected'>,
): string | undefined {
  const { ai } = facts;
  const statement = ai === 'sources' || ai === 'unstated' ? nameStatement(facts) : undefined;
  const said = [
    facts.aiCorrected === true ? aiLevels.corrected : AI_ICONS[ai] === undefined ? '' : ui.inRecord,
    statement === undefined ? '' : `${statement}.`,
  ];
  return said.filter(Boolean).join(' ') || undefined;
}
