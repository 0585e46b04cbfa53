import { C2PA_EXTENSION } from '../extensions/c2pa.js';
import { MARK_EXTENSION } from '../extensions/mark.js';
import type { Bundle } from '../records/bundle.js';
import type { Withholdable } from './publication.js';
import type { PublishedFacts, PublishedHistory } from './published-history.js';

/** The visible parts of a history, and its bundle. */
export type Shown = Pick<PublishedHistory, 'people' | 'steps' | 'contents'> & {
  bundle: Bundle;
  withhold: readonly Withholdable[];
};

const MOST = 5;
/** Types of actions that do not make content. */
const LOOKING = ['reference', 'verify'];

/** Returns the short summary of a content. It uses only visible data, so that it reveals nothing else. */
export function listFacts(shown: Shown): PublishedFacts {
  const { bundle, people, steps, contents } = shown;
  const { cid, complete } = bundle;
  const own = contents.find((content) => content.cid === cid);
  const making = steps.filter(({ type, outputs }) => outputs.includes(cid) && !LOOKING.includes(type));
  const makers = new Set(making.length === 0 ? [own?.by] : making.map(({ by }) => by));
  const named = steps.flatMap(({ tool }) =>
    tool === undefined ? [] : [[tool.provider, tool.model, tool.version].filter(Boolean).join(' ')],
  );
  const firstAt = steps.map(({ at }) => at).sort()[0];
  const others = steps.flatMap(({ inputs, outputs }) => [...inputs, ...outputs]).filter((one) => one !== cid);
  return {
    type: own?.type ?? 'other',
    ...(own?.mimeType === undefined ? {} : { mimeType: own.mimeType }),
    ...(own?.size === undefined ? {} : { size: own.size }),
    ...(own === undefined ? {} : { recordedAt: own.recordedAt }),
    ai: describeAi(shown, { making, makers }),
    makers: people
      .filter(({ ref }) => makers.has(ref))
      .slice(0, MOST)
      .map(({ role, name }) => ({ role, ...(name === undefined ? {} : { name }) })),
    tools: [...new Set(named)].slice(0, MOST),
    steps: steps.length,
    sources: new Set(others).size,
    ...(firstAt === undefined ? {} : { firstAt }),
    complete,
  };
}

function describeAi(
  { bundle, people, steps, withhold }: Shown,
  { making, makers }: { making: PublishedHistory['steps']; makers: ReadonlySet<string | undefined> },
): PublishedFacts['ai'] {
  const ais = new Set(people.filter(({ role }) => role === 'ai').map(({ ref }) => ref));
  const isByAi = (step: PublishedHistory['steps'][number]) => step.type === 'generate' || ais.has(step.by);
  const disclosed = withhold.includes('tools') ? undefined : disclosureOf(bundle);
  const isMadeByAi = making.some(isByAi) || [...ais].some((ref) => makers.has(ref));
  if (disclosed === 'ai_generated' || isMadeByAi) return 'generated';
  const usesTool = ({ tool }: PublishedHistory['steps'][number]) => tool !== undefined;
  if (disclosed === 'ai_assisted' || making.some(usesTool)) return 'assisted';
  if (steps.some((step) => isByAi(step) || usesTool(step))) return 'involved';
  if (withhold.includes('tools')) return 'withheld';
  return disclosed === null ? 'human' : 'unstated';
}

/**
 * Returns the AI disclosure in the Content Credentials of the content itself, or else that of the action that marked
 * it. Undefined: none states anything.
 */
function disclosureOf({ cid, resources, actions }: Bundle): unknown {
  const own = resources.find((resource) => resource.cid === cid);
  const signed = readDisclosure(own?.extensions?.[C2PA_EXTENSION]);
  if (signed !== undefined) return signed;
  const making = actions.filter(({ outputCids }) => outputCids.includes(cid));
  return making
    .map(({ extensions }) => readDisclosure(extensions?.[MARK_EXTENSION]))
    .find((disclosure) => disclosure !== undefined);
}

function readDisclosure(said: unknown): unknown {
  return typeof said === 'object' && said !== null && 'aiDisclosure' in said ? said.aiDisclosure : undefined;
}
