import type { Action, Entity } from '@colophon/model';
import { history } from '../strings/history.js';

/** Describes an action without a full stop: `Ann made this with AI (Acme painter-2) from another file`. */
export function nameAction(
  { type, performedBy, aiTool, inputCids }: Pick<Action, 'type' | 'performedBy' | 'aiTool' | 'inputCids'>,
  entities: readonly Pick<Entity, 'id' | 'name'>[],
): string {
  const name = entities.find(({ id }) => id === performedBy)?.name ?? history.somebody(performedBy);
  const did = (history.did as Readonly<Record<string, string>>)[type] ?? history.other(type);
  const tool = aiTool === undefined ? [] : [history.withTool(`${aiTool.provider} ${aiTool.model}`)];
  const inputs = inputCids.length === 0 ? [] : [history.from(inputCids.length)];
  return [name, did, ...tool, ...inputs].join(' ');
}
