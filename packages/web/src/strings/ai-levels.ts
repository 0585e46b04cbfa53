import { textsOf } from '../languages/texts.js';

/**
 * The only words for each level of AI on the page. The text inside an icon is that of the EU. `recordedBy`: the record of
 * this person states it, and it can be the statement of Content Credentials in the recorded file.
 */
export const aiLevels = textsOf('aiLevels', {
  generated: 'AI-generated',
  assisted: 'AI-edited',
  involved: 'AI in its history',
  sources: 'AI in sources',
  human: 'Made without AI',
  statedBy: (name: string) => `Made without AI, stated by ${name}`,
  recordedBy: (name: string) => `Made without AI, stated in the record by ${name}`,
  unstated: 'No AI recorded',
  unstatedMeans: 'The file may still be made with AI.',
  withheld: 'AI use not disclosed',
});
