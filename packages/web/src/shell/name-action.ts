import {
  type Action,
  type Bundle,
  correctedActions,
  createWorkMakers,
  type Entity,
  listMarkedForMaker,
  type MakingStep,
  markedInput,
} from '@colophon/model';
import { joinNames } from '../strings/describe-facts.js';
import { history } from '../strings/history.js';
import type { Titles } from './use-titles.js';

/** Without `actions`, the sentence about a marked copy names nobody. */
export interface KnownRecords extends Partial<Pick<Bundle, 'actions' | 'aliases'>> {
  entities: readonly Pick<Entity, 'id' | 'name'>[];
}

type Described = Pick<Action, 'type' | 'performedBy' | 'aiTool' | 'inputCids'> &
  Partial<Pick<Action, 'outputCids' | 'extensions'>>;

/**
 * Returns a sentence without a full stop, such as `Ann made this file with AI (Acme painter-2) from another file`. A
 * marked copy names no AI tool, because it is the same work as its original.
 */
export function nameAction(action: Described, known: KnownRecords, what: string = history.thisFile): string {
  const { type, performedBy, aiTool, inputCids } = action;
  if (toMakingStep(action, known.aliases).markedCid !== undefined) return sayMarked(action, known, what);
  const name = namePerson(performedBy, known);
  const nameTool = type === 'generate' ? history.tool : history.withTool;
  const tool = aiTool === undefined ? [] : [nameTool(`${aiTool.provider} ${aiTool.model}`)];
  // The text for an edit already names the inputs.
  const isEdit = type === 'transform';
  const inputs = inputCids.length === 0 || isEdit ? [] : [history.from(inputCids.length)];
  const did = isEdit ? history.edited(what, inputCids.length) : sayVerb(type, what);
  return [name, did, ...tool, ...inputs].join(' ');
}

function namePerson(id: string, { entities }: KnownRecords): string {
  return entities.find((entity) => entity.id === id)?.name ?? history.somebody(id);
}

/** Names the makers of the original if the performer is one of them, or else the performer. */
function sayMarked(action: Described, known: KnownRecords, what: string): string {
  const { actions, aliases } = known;
  if (actions === undefined) return startSentence(history.markedCopy(what));
  const corrected = correctedActions(actions, aliases);
  const current = actions.filter(({ id }) => !corrected.has(id)).map((one) => toMakingStep(one, aliases));
  const step = toMakingStep(action, aliases);
  if (!listMarkedForMaker([step], current).has(step))
    return `${namePerson(step.by, known)} ${history.marked(what)}`;
  const makers = [...createWorkMakers(current)(step.markedCid ?? '')].map((id) => namePerson(id, known));
  return startSentence(history.markedCopyOf(what, joinNames([...new Set(makers)]), ''));
}

/** `markedCid`: the original, if the action made a marked copy. */
export function toMakingStep(
  { type, performedBy, inputCids, outputCids = [], extensions }: Described,
  aliases: Bundle['aliases'] = {},
): MakingStep {
  const canonical = (cid: string) => aliases[cid] ?? cid;
  const markedCid = markedInput({ inputCids, outputCids, extensions }, canonical);
  return { type, by: performedBy, outputs: outputCids.map(canonical), markedCid };
}

export function startSentence(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

function sayVerb(type: string, what: string): string {
  const sayKnown = (history.did as Readonly<Record<string, (what: string) => string>>)[type];
  return sayKnown?.(what) ?? history.other(what, type);
}

/** Names the outputs, or else the inputs. `own`: the name of the content of the bundle. */
export function nameFiles(
  { outputCids, inputCids }: Pick<Action, 'outputCids' | 'inputCids'>,
  { cid, aliases = {} }: Pick<Bundle, 'cid' | 'aliases'>,
  { own, titles = {} }: { own: string; titles?: Titles },
): string {
  const cids = (outputCids.length === 0 ? inputCids : outputCids).map((name) => aliases[name] ?? name);
  if (cids.includes(cid)) return own;
  const [only = ''] = cids;
  if (cids.length > 1) return history.files(cids.length);
  const title = titles[only];
  return title === undefined ? history.file(only.slice(-6)) : `${history.titled(title)} (…${only.slice(-6)})`;
}
