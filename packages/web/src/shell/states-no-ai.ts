import { type Action, MARK_EXTENSION, readDisclosure } from '@colophon/model';

/** Whether an action states that people alone made its outputs. An action without this statement may have used AI. */
export function statesNoAi({ extensions }: Pick<Action, 'extensions'>): boolean {
  return readDisclosure(extensions[MARK_EXTENSION]) === null;
}
