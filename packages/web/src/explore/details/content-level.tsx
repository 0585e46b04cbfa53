import type { Action, Bundle } from '@colophon/model';
import { useMemo } from 'react';
import { lacksOnlyAi } from '../../marking/marking-of.js';
import { factsOfContent } from '../../shell/facts-of-content.js';
import { useReadingMember } from '../../shell/reading-member.js';
import { aiLevels } from '../../strings/ai-levels.js';
import { nameLevel } from '../../strings/describe-facts.js';
import { marking as marks } from '../../strings/marking.js';
import { AI_ICONS } from '../../ui/ai-icons.js';
import { AiLabel } from '../../ui/ai-label.js';
import { describeSource } from '../../ui/describe-source.js';

/** Shows nothing if the records do not mention AI and the history is incomplete. */
export function ContentLevel({ bundle, cid }: { bundle: Bundle; cid: string }) {
  const facts = useMemo(() => factsOfContent(bundle, cid), [bundle, cid]);
  if (facts === undefined || (facts.ai === 'unstated' && !facts.complete)) return null;
  return <AiLabel ai={facts.ai} words={nameLevel(facts)} source={describeSource(facts)} />;
}

export function ShortLevel({ bundle, cid }: { bundle: Bundle; cid: string }) {
  const facts = useMemo(() => factsOfContent(bundle, cid), [bundle, cid]);
  if (facts?.ai === 'unstated' && facts.complete) return <p className="ai-label">{aiLevels.unstated}</p>;
  return facts === undefined || AI_ICONS[facts.ai] === undefined ? null : <AiLabel ai={facts.ai} />;
}

/** Says why the page offers no marked copy of a content without AI, or with AI only in its sources. */
export function UnmarkedHint({ bundle, cid }: { bundle: Bundle; cid: string }) {
  const level = useMemo(() => factsOfContent(bundle, cid)?.ai, [bundle, cid]);
  const canBeCorrected = useMemo(() => lacksOnlyAi(bundle, cid), [bundle, cid]);
  if (level === 'sources') return <p className="hint unmarked-hint">{marks.sourcesShort}</p>;
  return canBeCorrected ? <CorrectToMark /> : null;
}

/** The hint for users who can correct an entry. */
function CorrectToMark() {
  const { reader, isLoading } = useReadingMember();
  return reader !== undefined || isLoading ? null : <p className="hint unmarked-hint">{marks.unstated}</p>;
}

/**
 * Shows the statement that a step used no AI. It does not cover the sources, so with AI in them, shows the level of the
 * output.
 */
export function StatedLevel({ bundle, action, words }: { bundle: Bundle; action: Action; words: string }) {
  const result = useMemo(() => {
    const [name = ''] = action.outputCids;
    const cid = bundle.aliases?.[name] ?? name;
    return factsOfContent(bundle, cid)?.ai === 'sources' ? cid : undefined;
  }, [bundle, action]);
  return result === undefined ? <p>{words}</p> : <ContentLevel bundle={bundle} cid={result} />;
}
