import { type Action, MARK_EXTENSION, markedInput, readDisclosure } from '@colophon/model';
import { titleOfType } from '../../shell/short-labels.js';
import { factTexts } from '../../strings/facts.js';
import type { History, HistoryNode } from './history.js';

type ActionNode = HistoryNode & { kind: 'action' };

/** Marked copies have one kind, although their types differ. */
const MARKED = 'marked';

export function listRecorded({ nodes }: Pick<History, 'nodes'>): Set<string> {
  const isRecorded = (node: HistoryNode) =>
    node.kind === 'resource' && (node.origin === 'made' || node.origin === 'claimed');
  return new Set(nodes.flatMap((node) => (node.kind === 'resource' && isRecorded(node) ? [node.cid] : [])));
}

/**
 * Returns the original of a marked copy. An earlier version recorded no `markedCid`. Its copy is recognised by type, AI
 * mark, single recorded source and single output, without an AI tool.
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

/** Returns its type, or one kind for all marked copies. */
export function kindOfStep(node: ActionNode, recorded: ReadonlySet<string>): string {
  return readMarked(node, recorded) === undefined ? node.action.type : MARKED;
}

/** Without the history, a marked copy without `markedCid` has the type of its action. */
export function kindOfAction(action: Action): string {
  return markedInput(action) === undefined ? action.type : MARKED;
}

export function titleOfKind(kind: string): string {
  return kind === MARKED ? factTexts.acts.marked : titleOfType(kind);
}
