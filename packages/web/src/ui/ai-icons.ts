import type { LabelIcon, PublishedFacts } from '@colophon/model';

/** The icons of levels of AI. A level that is not in this list has no icon. */
export const AI_ICONS: Readonly<Partial<Record<PublishedFacts['ai'], LabelIcon>>> = {
  generated: 'ai-generated',
  assisted: 'ai-modified',
  involved: 'ai',
  sources: 'ai',
};
