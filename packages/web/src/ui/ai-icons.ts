import type { LabelIcon, PublishedFacts } from '@colophon/model';

/** Other levels have no icon. */
export const AI_ICONS: Readonly<Partial<Record<PublishedFacts['ai'], LabelIcon>>> = {
  generated: 'ai-generated',
  assisted: 'ai-modified',
  involved: 'ai',
  sources: 'ai',
};
