import { textsOf } from '../languages/texts.js';

/** The levels of AI, in words beside the label. */
export const aiLevels = textsOf('aiLevels', {
  generated: 'AI-generated',
  assisted: 'AI-edited',
  involved: 'AI in its history',
  sources: 'AI in sources',
  human: 'No AI, as its Content Credentials state',
  unstated: 'No use of AI is recorded',
  unstatedMeans: 'The file may still be made with AI.',
  withheld: 'AI use not disclosed',
});
