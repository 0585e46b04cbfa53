import { type Action, MARK_EXTENSION, readDisclosure } from '@colophon/model';

/** An action without this statement may have used AI. */
export function statesNoAi({ extensions }: Pick<Action, 'extensions'>): boolean {
  return readDisclosure(extensions[MARK_EXTENSION]) === null;
}
