import type { Bundle } from '@colophon/model';
import { useMemo } from 'react';
import { nameLevel } from '../../strings/describe-facts.js';
import { AiLabel } from '../../ui/ai-label.js';
import { describeSource } from '../../ui/describe-source.js';
import { factsOfContent } from './facts-of-content.js';

/** The level of AI of a content. Nothing if the bundle has no statement about AI and lacks a part of the history. */
export function ContentLevel({ bundle, cid }: { bundle: Bundle; cid: string }) {
  const facts = useMemo(() => factsOfContent(bundle, cid), [bundle, cid]);
  if (facts === undefined || (facts.ai === 'unstated' && !facts.complete)) return null;
  return <AiLabel ai={facts.ai} words={nameLevel(facts)} source={describeSource(facts)} />;
}
