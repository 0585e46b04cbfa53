import { C2PA_EXTENSION } from '../extensions/c2pa.js';
import { MARK_EXTENSION } from '../extensions/mark.js';
import type { Action } from '../records/action.js';
import type { Bundle } from '../records/bundle.js';
import { isAiKey } from './ai-extension.js';
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
  const named = [...making, ...steps].flatMap(({ tool }) =>
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

type Step = PublishedHistory['steps'][number];

function describeAi(
  shown: Shown,
  { making, makers }: { making: readonly Step[]; makers: ReadonlySet<string | undefined> },
): PublishedFacts['ai'] {
  const { bundle, people, steps } = shown;
  const showsTools = !shown.withhold.includes('tools');
  const ais = new Set(people.filter(({ role }) => role === 'ai').map(({ ref }) => ref));
  const disclosed = showsTools ? disclosuresOf(bundle) : { own: undefined, hasOthers: false };
  const isByAi = ({ type, by }: Step) => type === 'generate' || ais.has(by);
  const isMadeByAi = making.some(isByAi) || [...ais].some((ref) => makers.has(ref));
  if (disclosed.own === 'ai_generated' || isMadeByAi) return 'generated';
  const withAi = steps.filter((step, place) => {
    const usesTool = showsTools && usesAiTool(bundle.actions[place]);
    return !isCheck(step) && (isByAi(step) || usesTool);
  });
  const isOwn = ({ inputs, outputs }: Step) => (outputs.length === 0 ? inputs : outputs).includes(bundle.cid);
  const credits = creditsOfAi(bundle, (place) => steps[place] !== undefined && isOwn(steps[place]));
  if (disclosed.own === 'ai_assisted' || withAi.some(isOwn) || credits.own) return 'assisted';
  if (withAi.length > 0 || disclosed.hasOthers || credits.others) return showsTools ? 'sources' : 'involved';
  if (!showsTools) return 'withheld';
  return disclosed.own === null ? 'human' : 'unstated';
}

/** Whether an attribution names an AI for the content or an action that made it, and whether one does elsewhere. */
function creditsOfAi(
  { cid, aliases = {}, entities, actions, attributions }: Bundle,
  isOwn: (place: number) => boolean,
): { own: boolean; others: boolean } {
  const ais = new Set(entities.filter(({ role }) => role === 'ai').map(({ id }) => id));
  const own = new Set(actions.filter((_, place) => isOwn(place)).map(({ id }) => id));
  const areOwn = attributions
    .filter(({ entityId }) => ais.has(entityId))
    .map(
      ({ actionId = '', resourceCid = '' }) =>
        own.has(actionId) || (aliases[resourceCid] ?? resourceCid) === cid,
    );
  return { own: areOwn.includes(true), others: areOwn.includes(false) };
}

/** A check by an AI adds no AI to a content. */
function isCheck({ type, outputs }: Step): boolean {
  return type === 'verify' && outputs.length === 0;
}

function usesAiTool(action: Action | undefined): boolean {
  return action?.aiTool !== undefined || Object.keys(action?.extensions ?? {}).some(isAiKey);
}

/**
 * Reads the AI disclosures in Content Credentials and marks. `own`: that of the Content Credentials of the content, or
 * else of the action that marked it; undefined when none states anything. `hasOthers`: other contents were made with AI.
 */
function disclosuresOf({ cid, resources, actions }: Bundle): { own: unknown; hasOthers: boolean } {
  const signed = resources.map((resource) => ({
    cids: [resource.cid],
    disclosure: readDisclosure(resource.extensions?.[C2PA_EXTENSION]),
  }));
  const marked = actions.map(({ outputCids, extensions }) => ({
    cids: outputCids,
    disclosure: readDisclosure(extensions?.[MARK_EXTENSION]),
  }));
  const stated = [...signed, ...marked].filter(({ disclosure }) => disclosure !== undefined);
  return {
    own: stated.find(({ cids }) => cids.includes(cid))?.disclosure,
    hasOthers: stated.some(({ cids, disclosure }) => !cids.includes(cid) && disclosure !== null),
  };
}

function readDisclosure(said: unknown): unknown {
  return typeof said === 'object' && said !== null && 'aiDisclosure' in said ? said.aiDisclosure : undefined;
}
