import { textsOf } from '../languages/texts.js';

/** The only words for each level of AI on the page. The text inside an icon is that of the EU. */
export const aiLevels = textsOf('aiLevels', {
  generated: 'AI-generated',
  assisted: 'AI-edited',
  involved: 'AI in its history',
  sources: 'AI in sources',
  human: 'Made without AI',
  unstated: 'No AI recorded',
  unstatedMeans: 'The file may still be made with AI.',
  withheld: 'AI use not disclosed',
});
