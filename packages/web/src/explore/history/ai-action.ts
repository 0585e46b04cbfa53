import { type Action, isAiKey } from '@colophon/model';

/** Whether an AI took part in an action. A check by an AI does not count. */
export function isAiAction(
  { type, performedBy, aiTool, outputCids, extensions }: Action,
  ais: ReadonlySet<string>,
): boolean {
  if (type === 'verify' && outputCids.length === 0) return false;
  const namesTool = aiTool !== undefined || Object.keys(extensions).some(isAiKey);
  return type === 'generate' || namesTool || ais.has(performedBy);
}
