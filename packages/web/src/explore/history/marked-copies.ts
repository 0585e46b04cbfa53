import { type Action, MARK_EXTENSION, markedInput, readDisclosure } from '@colophon/model';
import { titleOfType } from '../../shell/short-labels.js';
import { factTexts } from '../../strings/facts.js';
import type { History, HistoryNode } from './history.js';

type ActionNode = HistoryNode & { kind: 'action' };

/** The kind of all steps that made marked copies. Their types differ, such as `generate` and `transform`. */
const MARKED = 'marked';

/** Returns the CIDs of the contents that are recorded. */
export function listRecorded({ nodes }: Pick<History, 'nodes'>): Set<string> {
  const isRecorded = (node: HistoryNode) =>
    node.kind === 'resource' && (node.origin === 'made' || node.origin === 'claimed');
  return new Set(nodes.flatMap((node) => (node.kind === 'resource' && isRecorded(node) ? [node.cid] : [])));
}

/**
 * Returns the original, if a step made a marked copy; undefined for any other step. `recorded`: see `listRecorded`.
 * A step without `markedCid`, such as one of an earlier version, probably made a marked copy if its type is `transform`
 * or `generate`, and if it has an AI mark, no AI tool, a single recorded source and a single output.
 */
export function readMarked({ action, named }: ActionNode, recorded: ReadonlySet<string>): string | undefined {
  const { type, aiTool, extensions } = action;
  const { inputs, outputs, markedCid } = named;
  const [only = ''] = inputs;
  if (markedCid !== undefined || typeof readDisclosure(extensions[MARK_EXTENSION]) !== 'string')
    return markedCid;
  const isOfOne = inputs.length === 1 && outputs.length === 1 && recorded.has(only);
  const isMark = isOfOne && aiTool === undefined && (type === 'transform' || type === 'generate');
  return isMark ? only : undefined;
}

/** Returns the kind of a step for filters: its type, or one kind for all marked copies. */
export function kindOfStep(node: ActionNode, recorded: ReadonlySet<string>): string {
  return readMarked(node, recorded) === undefined ? node.action.type : MARKED;
}

/** Like `kindOfStep`, but without the history. So a marked copy without `markedCid` has the type of its action. */
export function kindOfAction(action: Action): string {
  return markedInput(action) === undefined ? action.type : MARKED;
}

/** Names a kind of steps, such as `Generated` or `Marked copy`. */
export function titleOfKind(kind: string): string {
  return kind === MARKED ? factTexts.acts.marked : titleOfType(kind);
}
