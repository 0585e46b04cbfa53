import type { Bundle } from '@colophon/model';
import { useMemo } from 'react';
import { nameLevel } from '../../strings/describe-facts.js';
import { AiLabel } from '../../ui/ai-label.js';
import { describeSource } from '../../ui/describe-source.js';
import { factsOfContent } from './facts-of-content.js';

/** Shows the level of AI of a content. Shows nothing if the records do not mention AI and the history is incomplete. */
export function ContentLevel({ bundle, cid }: { bundle: Bundle; cid: string }) {
  const facts = useMemo(() => factsOfContent(bundle, cid), [bundle, cid]);
  if (facts === undefined || (facts.ai === 'unstated' && !facts.complete)) return null;
  return <AiLabel ai={facts.ai} words={nameLevel(facts)} source={describeSource(facts)} />;
}
