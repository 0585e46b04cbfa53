import type { Mark, MarkedContent } from '@colophon/model';
import { ApiError, type Client, duplicateOf } from '@colophon/sdk';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useClient } from '../shell/project.js';
import { sayError } from '../shell/say-error.js';
import { NEW_ME, useMe } from '../shell/use-me.js';
import type { Person } from '../shell/use-people.js';
import { marking as text } from '../strings/marking.js';
import { type MarkAttempt, type Marking, nameCopy, toMarkRequest } from './to-marking.js';

/** The service encodes a video again. */
const TIMEOUT_MS = 5 * 60_000;

/** Waits before the page reads the layers again. Each is twice as long as the one before it. */
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [1_000, 30_000];
/** Takes about three minutes. */
const MAX_READS = 10;
const NEWEST = 50;

type State =
  | { kind: 'choosing'; fault?: string }
  /** Undefined while the service makes the copy. */
  | { kind: 'sending'; share: number | undefined };

/** The signed-in user is the performer, so do not call `start` while `isLoading`. */
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

/** Records the user if the project does not know the user yet. */
async function requireMe(client: Client, { id, role, name }: Person, signal: AbortSignal): Promise<string> {
  if (id !== NEW_ME) return id;
  return (await client.entities.create({ role, ...(name === undefined ? {} : { name }) }, { signal })).id;
}

/** If the format permits no marks, the copy equals the file, and the service reports a duplicate. */
function sayFault(error: unknown): string {
  return duplicateOf(error) === undefined ? sayError(error) : text.unsupported;
}

/** Reads the layers again while one is pending, and passes each change to `onMade`. */
export function usePendingLayers(mark: Mark, onMade: (mark: Mark) => void): void {
  const client = useClient();
  const isPending = mark.layers.some(({ state }) => state === 'pending');
  const update = useEffectEvent((found: MarkedContent) => {
    const stateOf = new Map(found.layers.map(({ kind, state }) => [kind, state]));
    const layers = mark.layers.map((layer) => ({ ...layer, state: stateOf.get(layer.kind) ?? layer.state }));
    if (layers.some(({ state }, place) => state !== mark.layers[place]?.state)) onMade({ ...mark, layers });
  });
  useEffect(
    () => (isPending ? pollLayers(client, mark.cid, (found) => update(found)) : undefined),
    [client, mark.cid, isPending],
  );
}

/**
 * Reads a marked copy up to 10 times. Stops if it is not among the newest marks, or if the service rejects the session
 * or key. The returned function ends the reads.
 */
export function pollLayers(
  client: Pick<Client, 'compliance'>,
  cid: string,
  onFound: (found: MarkedContent) => void,
): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  let timer: ReturnType<typeof setTimeout>;
  /** Returns false if no further read can help. */
  const readAgain = async (): Promise<boolean> => {
    try {
      const { contents } = await client.compliance.marks({ limit: NEWEST }, { signal });
      const found = contents.find((content) => content.cid === cid);
      if (found !== undefined && !signal.aborted) onFound(found);
      return found !== undefined;
    } catch (error) {
      // After other errors, the next read can succeed.
      if (!(error instanceof ApiError) || error.code !== 'Unauthorized') return true;
      sayError(error);
      return false;
    }
  };
  const readAfter = (waitMs: number, reads: number) => {
    timer = setTimeout(async () => {
      const canHelp = await readAgain();
      if (!canHelp || reads === 1 || signal.aborted) return;
      readAfter(Math.min(2 * waitMs, LONGEST_WAIT_MS), reads - 1);
    }, waitMs);
  };
  readAfter(FIRST_WAIT_MS, MAX_READS);
  return () => {
    ending.abort();
    clearTimeout(timer);
  };
}
