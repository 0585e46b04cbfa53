import { type Action, type Bundle, type Entity, markedInput } from '@colophon/model';
import { history } from '../strings/history.js';
import type { Titles } from './use-titles.js';

/**
 * Describes an action without a full stop: `Ann made this file with AI (Acme painter-2) from another file`. `what`
 * names the files that the action is about. A marked copy is the same work as its input, so its sentence names no tool.
 */
export function nameAction(
  action: Pick<Action, 'type' | 'performedBy' | 'aiTool' | 'inputCids'> &
    Partial<Pick<Action, 'outputCids' | 'extensions'>>,
  entities: readonly Pick<Entity, 'id' | 'name'>[],
  what: string = history.thisFile,
): string {
  const { type, performedBy, aiTool, inputCids, outputCids = [], extensions } = action;
  const name = entities.find(({ id }) => id === performedBy)?.name ?? history.somebody(performedBy);
  if (markedInput({ inputCids, outputCids, extensions }) !== undefined)
    return `${name} ${history.marked(what)}`;
  const nameTool = type === 'generate' ? history.tool : history.withTool;
  const tool = aiTool === undefined ? [] : [nameTool(`${aiTool.provider} ${aiTool.model}`)];
  // The text for an edit already names the inputs.
  const isEdit = type === 'transform';
  const inputs = inputCids.length === 0 || isEdit ? [] : [history.from(inputCids.length)];
  const did = isEdit ? history.edited(what, inputCids.length) : sayVerb(type, what);
  return [name, did, ...tool, ...inputs].join(' ');
}

function sayVerb(type: string, what: string): string {
  const sayKnown = (history.did as Readonly<Record<string, (what: string) => string>>)[type];
  return sayKnown?.(what) ?? history.other(what, type);
}

/**
 * Names the files that an action is about: its outputs, or else its inputs. `own`: the name of the content of the
 * bundle. The name of any other single file consists of its title, if it has one, and of the end of its CID.
 */
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
