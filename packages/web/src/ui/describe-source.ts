import type { PublishedFacts } from '@colophon/model';
import { aiLevels } from '../strings/ai-levels.js';
import { nameStatement } from '../strings/describe-facts.js';
import { ui } from '../strings/ui.js';
import { AI_ICONS } from './ai-icons.js';

/**
 * Returns the text to show beside the words for a level of AI. The text says that the record states the level, or that
 * only corrected entries state it. The text also has the statement of a maker that no AI was used for the content
 * itself. Undefined if the words for the level already say all this.
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
