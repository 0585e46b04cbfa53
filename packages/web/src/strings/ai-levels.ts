import { textsOf } from '../languages/texts.js';

/**
 * The words for each level of AI, in all parts of the page. `statedBy` and `statedForFile` name the performer, but not
 * who stated this, because no record names the user who recorded it.
 */
export const aiLevels = textsOf('aiLevels', {
  generated: 'AI-generated',
  assisted: 'AI-edited',
  involved: 'AI in its history',
  sources: 'AI in sources',
  human: 'Made without AI, as its record states',
  statedBy: (name: string) => `Made without AI by ${name}, as its record states`,
  statedForFile: (name: string) =>
    `Made without AI by ${name}, as its record states for this file, but not for its sources`,
  notSources: 'Made without AI, as its record states for this file, but not for its sources',
  inCredentials: 'Made without AI, as its Content Credentials state',
  corrected: 'An earlier entry states this. A later entry corrects it.',
  unstated: 'No AI recorded',
  unstatedMeans: 'The file may still be made with AI.',
  withheld: 'AI use not disclosed',
});
