import type { AiDisclosure } from '../c2pa/provenance-assertion.js';
import { C2PA_EXTENSION } from '../extensions/c2pa.js';
import { MARK_EXTENSION } from '../extensions/mark.js';
import type { Action } from '../records/action.js';
import type { Bundle } from '../records/bundle.js';
import { isAiKey } from './ai-extension.js';
import { findCurrent, toCurrentBundle } from './current-steps.js';
import { listWorkMakers, makesContent } from './making-steps.js';
import type { Withholdable } from './publication.js';
import type { PublishedFacts, PublishedHistory } from './published-history.js';

export type Shown = Pick<PublishedHistory, 'people' | 'steps' | 'contents'> & {
  bundle: Bundle;
  withhold: readonly Withholdable[];
};

const MAX_NAMED = 5;
const DERIVING = ['transform', 'aggregate'];
const ORIGINATING = ['create', 'generate'];

export type AiLevel = Pick<PublishedFacts, 'ai' | 'aiCorrected'>;

/**
 * Returns the summary of a content. Uses only data that the publication shows. Corrected steps do not count, with one
 * exception: if they make the level of AI higher, they count for this level. `known`: the level of AI, for a caller
 * that knows it. By default, the level follows from `shown`.
 */
export function listFacts(shown: Shown, known?: AiLevel): PublishedFacts {
  const { cid, complete } = shown.bundle;
  const current = toCurrent(shown);
  const { people, steps, contents } = current;
  const own = contents.find((content) => content.cid === cid);
  const making = listMaking(current);
  const makers = new Set(making.length === 0 ? [recordedMaker(shown, own?.by)] : making.map(({ by }) => by));
  const used = steps.filter(({ type, outputs }) => !isCheck(type, outputs));
  const named = [...making, ...used].flatMap(({ tool }) =>
    tool === undefined ? [] : [[tool.provider, tool.model, tool.version].filter(Boolean).join(' ')],
  );
  const firstAt = steps.map(({ at }) => at).sort()[0];
  const others = steps.flatMap(({ inputs, outputs }) => [...inputs, ...outputs]).filter((one) => one !== cid);
  const { ai, aiCorrected } = known ?? describeLevel(shown, { current, making, makers });
  return {
    type: own?.type ?? 'other',
    ...(own?.mimeType === undefined ? {} : { mimeType: own.mimeType }),
    ...(own?.size === undefined ? {} : { size: own.size }),
    ...(own === undefined ? {} : { recordedAt: own.recordedAt }),
    ai,
    ...(aiCorrected === undefined ? {} : { aiCorrected }),
    ...countMakers(people, makers),
    ...describeAct(current, { making, makers, ai, all: shown.steps }),
    ...describeStatement(current),
    tools: [...new Set(named)].slice(0, MAX_NAMED),
    steps: steps.length,
    sources: new Set(others).size,
    ...(firstAt === undefined ? {} : { firstAt }),
    complete,
  };
}

/** Returns only the parts of the history that count (see `findCurrent`). */
function toCurrent(shown: Shown): Shown {
  const { bundle, steps } = shown;
  const part = findCurrent(bundle.cid, steps);
  if (part === undefined) return shown;
  return {
    ...shown,
    bundle: toCurrentBundle(bundle, part),
    steps: steps.filter((_, place) => part.isCurrent(place)),
  };
}

function listMaking({ bundle: { cid }, steps }: Shown): Step[] {
  return steps.filter(({ type, outputs }) => outputs.includes(cid) && makesContent(type));
}

/** Returns the recorded maker `by`, or undefined if `by` made the content in a corrected step. */
function recordedMaker(shown: Shown, by: string | undefined): string | undefined {
  return listMaking(shown).some((step) => step.by === by) ? undefined : by;
}

/** The levels that mean a use of AI, from the weakest to the strongest. */
const AI_LEVELS: readonly PublishedFacts['ai'][] = ['sources', 'involved', 'assisted', 'generated'];

/** Returns the level without the corrected steps, or the level with them if that level is higher. */
function describeLevel(shown: Shown, { current, ...made }: Making & { current: Shown }): AiLevel {
  const ai = describeAi(current, made);
  if (current === shown) return { ai };
  const making = listMaking(shown);
  const makers = making.length === 0 ? made.makers : new Set(making.map(({ by }) => by));
  const first = describeAi(shown, { making, makers });
  return AI_LEVELS.indexOf(first) > AI_LEVELS.indexOf(ai) ? { ai: first, aiCorrected: true } : { ai };
}

type Step = PublishedHistory['steps'][number];
type Person = PublishedHistory['people'][number];

/** `making`: the steps that made the content. `makers`: the pseudonyms of the people who made it. */
interface Making {
  making: readonly Step[];
  makers: ReadonlySet<string | undefined>;
}

/** Makers with the same name count once, because sentences name them once. */
function countMakers(
  people: Shown['people'],
  makers: Making['makers'],
): Pick<PublishedFacts, 'makers' | 'furtherMakers'> {
  const found = people.filter(({ ref }) => makers.has(ref));
  const shown = namedOnce(found).slice(0, MAX_NAMED);
  const names = new Set(shown.map(nameInSentence));
  const further = new Set(found.map(nameInSentence).filter((name) => !names.has(name)));
  return {
    makers: shown.map(toMaker),
    ...(further.size > 0 ? { furtherMakers: further.size } : {}),
  };
}

function listMakers(people: Shown['people'], isMaker: (ref: string) => boolean): PublishedFacts['makers'] {
  const found = people.filter(({ ref }) => isMaker(ref));
  return namedOnce(found).slice(0, MAX_NAMED).map(toMaker);
}

function toMaker({ role, name }: Person): PublishedFacts['makers'][number] {
  return { role, ...(name === undefined ? {} : { name }) };
}

/** Omits people with the same name and role as an earlier person. Keeps all people without a name. */
function namedOnce(people: readonly Person[]): Person[] {
  const seen = new Set<string>();
  return people.filter((person) => {
    const name = `${person.role} ${nameInSentence(person)}`;
    const isFirst = !seen.has(name);
    seen.add(name);
    return isFirst;
  });
}

/** Returns the same text for all people whom a sentence names in the same way. */
function nameInSentence({ ref, role, name }: Person): string {
  return name === undefined ? `ref ${ref}` : `${role === 'ai' ? 'ai' : 'name'} ${name}`;
}

/**
 * Returns how the content was made (`act`), and the makers of its sources. For a marked copy, `act` is `marked`, and
 * `sourceMakers` are the makers of the original. For other content that an AI made, `act` is `made`, even if the AI
 * used sources. `all`: all steps, including those that do not count.
 */
function describeAct(
  { bundle: { cid }, people, steps }: Shown,
  { making, makers, ai, all }: Making & Pick<PublishedFacts, 'ai'> & { all: readonly Step[] },
): Pick<PublishedFacts, 'act' | 'sourceMakers'> {
  const has = (type: string) => making.some((step) => step.type === type);
  const isMarked = making.length > 0 && making.every(({ markedCid }) => markedCid !== undefined);
  const isDerived = isMarked || making.every(({ type }) => DERIVING.includes(type));
  if (making.length === 0 || !isDerived) return { act: 'made' };
  if (isMarked) {
    const workMakers = listWorkMakers(all, cid);
    return withSourceMakers(
      'marked',
      listMakers(people, (ref) => workMakers.has(ref)),
    );
  }
  const first = steps.filter(
    ({ type, outputs, markedCid }) =>
      ORIGINATING.includes(type) && !outputs.includes(cid) && markedCid === undefined,
  );
  const refs = new Set(first.map(({ by }) => by));
  const sourceMakers = listMakers(people, (ref) => refs.has(ref) && !makers.has(ref));
  const act = ai === 'generated' ? 'made' : has('aggregate') ? 'combined' : 'edited';
  return withSourceMakers(act, sourceMakers);
}

function withSourceMakers(
  act: PublishedFacts['act'],
  sourceMakers: PublishedFacts['makers'],
): Pick<PublishedFacts, 'act' | 'sourceMakers'> {
  return { act, ...(sourceMakers.length === 0 ? {} : { sourceMakers }) };
}

/** Returns who stated that no AI was used. If several steps state this, the last of them counts. */
function describeStatement({ bundle, people, steps, withhold }: Shown): Pick<PublishedFacts, 'withoutAiBy'> {
  if (withhold.includes('tools')) return {};
  const stating = steps.findLast(({ outputs }, place) => {
    const action = bundle.actions[place];
    return outputs.includes(bundle.cid) && action !== undefined && statesNoAi(action);
  });
  const [withoutAiBy] = listMakers(people, (ref) => ref === stating?.by);
  return withoutAiBy === undefined ? {} : { withoutAiBy };
}

function describeAi(shown: Shown, { making, makers }: Making): PublishedFacts['ai'] {
  const { bundle, people, steps } = shown;
  const showsTools = !shown.withhold.includes('tools');
  const ais = new Set(people.filter(({ role }) => role === 'ai').map(({ ref }) => ref));
  const disclosed = showsTools ? disclosuresOf(bundle) : { own: undefined, hasOthers: false };
  const isByAi = ({ type, by }: Step) => type === 'generate' || ais.has(by);
  const isMadeByAi = making.some(isByAi) || [...ais].some((ref) => makers.has(ref));
  if (disclosed.own === 'ai_generated' || isMadeByAi) return 'generated';
  const withAi = steps.filter((step, place) => {
    const action = bundle.actions[place];
    if (action === undefined || isCheck(step.type, step.outputs)) return false;
    return isByAi(step) || (showsTools && usesAiTool(action));
  });
  const isOwn = ({ inputs, outputs }: Step) => (outputs.length === 0 ? inputs : outputs).includes(bundle.cid);
  const credits = creditsOfAi(bundle, (place) => steps[place] !== undefined && isOwn(steps[place]));
  if (disclosed.own === 'ai_assisted' || withAi.some(isOwn) || credits.own) return 'assisted';
  if (withAi.length > 0 || disclosed.hasOthers || credits.others) return showsTools ? 'sources' : 'involved';
  if (!showsTools) return 'withheld';
  // AI may have taken part in actions that the bundle lacks.
  return disclosed.own === null && bundle.complete ? 'human' : 'unstated';
}

/**
 * `own`: an AI has a credit for the content or for one of its own actions. These are the actions that have the content
 * as an output, and the actions without outputs that have it as an input. `others`: an AI has any other credit. Credits
 * for checks do not count.
 */
function creditsOfAi(
  { cid, aliases = {}, entities, actions, attributions }: Bundle,
  isOwn: (place: number) => boolean,
): { own: boolean; others: boolean } {
  const ais = new Set(entities.filter(({ role }) => role === 'ai').map(({ id }) => id));
  const own = new Set(actions.filter((_, place) => isOwn(place)).map(({ id }) => id));
  const checks = new Set(
    actions.filter(({ type, outputCids }) => isCheck(type, outputCids)).map(({ id }) => id),
  );
  const areOwn = attributions
    .filter(({ entityId, actionId = '' }) => ais.has(entityId) && !checks.has(actionId))
    .map(
      ({ actionId = '', resourceCid = '' }) =>
        own.has(actionId) || (aliases[resourceCid] ?? resourceCid) === cid,
    );
  return { own: areOwn.includes(true), others: areOwn.includes(false) };
}

/** A check by an AI does not mean that AI took part in making the content. */
function isCheck(type: string, outputs: readonly string[]): boolean {
  return type === 'verify' && outputs.length === 0;
}

export function usesAiTool({ aiTool, extensions }: Action): boolean {
  return aiTool !== undefined || Object.keys(extensions).some(isAiKey);
}

/** The disclosure null (no AI) counts only for an action that makes content. */
function disclosureOfAction(type: string, says: AiDisclosure | undefined): AiDisclosure | undefined {
  return says === null && !makesContent(type) ? undefined : says;
}

export function statesNoAi({ type, extensions }: Pick<Action, 'type' | 'extensions'>): boolean {
  return disclosureOfAction(type, readDisclosure(extensions?.[MARK_EXTENSION])) === null;
}

/** The disclosures from the weakest to the strongest. */
const DISCLOSURES: readonly AiDisclosure[] = [null, 'ai_assisted', 'ai_generated'];

/** `own`: the strongest disclosure about the content. `hasOthers`: AI made or edited another content. */
function disclosuresOf({ cid, aliases = {}, resources, actions }: Bundle): {
  own: AiDisclosure | undefined;
  hasOthers: boolean;
} {
  const isOwn = (name: string) => (aliases[name] ?? name) === cid;
  const stated = [
    ...resources.map((one) => ({
      own: isOwn(one.cid),
      says: readDisclosure(one.extensions?.[C2PA_EXTENSION]),
    })),
    ...actions.map(({ type, outputCids, extensions }) => ({
      own: outputCids.some(isOwn),
      says: disclosureOfAction(type, readDisclosure(extensions?.[MARK_EXTENSION])),
    })),
  ];
  const own = stated.filter((one) => one.own).map(({ says }) => says);
  return {
    own: DISCLOSURES.findLast((disclosure) => own.includes(disclosure)),
    hasOthers: stated.some((one) => !one.own && typeof one.says === 'string'),
  };
}

/**
 * Reads the disclosure of an extension: a value of the service's specification, or an object that states that AI made
 * the content. Returns undefined for any other value.
 */
export function readDisclosure(extension: unknown): AiDisclosure | undefined {
  if (typeof extension !== 'object' || extension === null || !('aiDisclosure' in extension)) return undefined;
  const said = extension.aiDisclosure;
  if (said === null || said === 'ai_assisted' || said === 'ai_generated') return said;
  const isGenerated =
    typeof said === 'object' && said !== undefined && 'isAIGenerated' in said && said.isAIGenerated;
  return isGenerated === true ? 'ai_generated' : undefined;
}
