import { type Action, MARK_EXTENSION } from '@colophon/model';

/** Whether an action states that people alone made its outputs. An action without this statement may have used AI. */
export function statesNoAi({ extensions }: Pick<Action, 'extensions'>): boolean {
  const mark = extensions[MARK_EXTENSION];
  return typeof mark === 'object' && mark !== null && 'aiDisclosure' in mark && mark.aiDisclosure === null;
}
