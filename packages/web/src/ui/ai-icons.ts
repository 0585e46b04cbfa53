import type { LabelIcon, PublishedFacts } from '@colophon/model';

/** The icon of each level of AI. The other levels have no icon. */
export const AI_ICONS: Readonly<Partial<Record<PublishedFacts['ai'], LabelIcon>>> = {
  generated: 'ai-generated',
  assisted: 'ai-modified',
  involved: 'ai',
  sources: 'ai',
};
