import type { Action, Bundle } from '@colophon/model';
import { useMemo } from 'react';
import { nameLevel } from '../../strings/describe-facts.js';
import { AI_ICONS } from '../../ui/ai-icons.js';
import { AiLabel } from '../../ui/ai-label.js';
import { describeSource } from '../../ui/describe-source.js';
import { factsOfContent } from './facts-of-content.js';

/** Shows the level of AI of a content. Shows nothing if the records do not mention AI and the history is incomplete. */
export function ContentLevel({ bundle, cid }: { bundle: Bundle; cid: string }) {
  const facts = useMemo(() => factsOfContent(bundle, cid), [bundle, cid]);
  if (facts === undefined || (facts.ai === 'unstated' && !facts.complete)) return null;
  return <AiLabel ai={facts.ai} words={nameLevel(facts)} source={describeSource(facts)} />;
}

/** Shows the level of a content with AI in few words, for display beside its title. */
export function ShortLevel({ bundle, cid }: { bundle: Bundle; cid: string }) {
  const ai = useMemo(() => factsOfContent(bundle, cid)?.ai, [bundle, cid]);
  return ai === undefined || AI_ICONS[ai] === undefined ? null : <AiLabel ai={ai} />;
}

/**
 * Shows the statement of a performer that a step used no AI. The statement does not cover the sources. If AI took part
 * in making these, shows the level of the result instead, as all other parts of the page do. That level includes the
 * statement.
 */
export function StatedLevel({ bundle, action, words }: { bundle: Bundle; action: Action; words: string }) {
  const result = useMemo(() => {
    const [name = ''] = action.outputCids;
    const cid = bundle.aliases?.[name] ?? name;
    return factsOfContent(bundle, cid)?.ai === 'sources' ? cid : undefined;
  }, [bundle, action]);
  return result === undefined ? <p>{words}</p> : <ContentLevel bundle={bundle} cid={result} />;
}
