import type { Mark } from '@colophon/model';
import { type Client, duplicateOf } from '@colophon/sdk';
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../shell/project.js';
import { sayError } from '../shell/say-error.js';
import { NEW_ME, useMe } from '../shell/use-me.js';
import type { Person } from '../shell/use-people.js';
import { marking as text } from '../strings/marking.js';
import { type MarkAttempt, type Marking, nameCopy, toMarkRequest } from './to-marking.js';

/** The service encodes a video again, which can take minutes. */
const TIMEOUT_MS = 5 * 60_000;

type State =
  | { kind: 'choosing'; fault?: string }
  /** `share` is undefined while the service makes the copy. */
  | { kind: 'sending'; share: number | undefined };

/**
 * Makes a marked copy in the name of the signed-in user. The request ends when the component disappears. While
 * `isLoading`, the copy would have the wrong performer.
 */
export function useMark(marking: Marking, onMade: (mark: Mark) => void) {
  const client = useClient();
  const { me, isLoading, remember } = useMe(client);
  const [state, setState] = useState<State>({ kind: 'choosing' });
  const ending = useRef<AbortController>(undefined);
  useEffect(() => () => ending.current?.abort(), []);
  const start = async (attempt: Omit<MarkAttempt, 'entityId'>) => {
    ending.current = new AbortController();
    const { signal } = ending.current;
    setState({ kind: 'sending', share: undefined });
    try {
      const file = await marking.read(signal);
      const { size } = file;
      const entityId = me && (await requireMe(client, me, signal));
      if (entityId !== undefined) remember(entityId);
      const mark = await client.mark(file, toMarkRequest(marking, { ...attempt, entityId }), {
        signal,
        timeoutMs: TIMEOUT_MS,
        fileName: nameCopy(marking),
        onProgress: ({ sentBytes }) =>
          setState({ kind: 'sending', share: sentBytes < size ? sentBytes / size : undefined }),
      });
      onMade(mark);
    } catch (error) {
      setState(signal.aborted ? { kind: 'choosing' } : { kind: 'choosing', fault: sayFault(error) });
    }
  };
  return { state, me, isLoading, start, cancel: () => ending.current?.abort() };
}

/** Returns the id of the user in the project. Records the user if the project does not know the user yet. */
async function requireMe(client: Client, { id, role, name }: Person, signal: AbortSignal): Promise<string> {
  if (id !== NEW_ME) return id;
  return (await client.entities.create({ role, ...(name === undefined ? {} : { name }) }, { signal })).id;
}

/** For a format without marks, the service would record the same bytes again, so it reports a duplicate. */
function sayFault(error: unknown): string {
  return duplicateOf(error) === undefined ? sayError(error) : text.unsupported;
}
