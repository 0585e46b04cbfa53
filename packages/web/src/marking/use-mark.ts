import type { Mark } from '@colophon/model';
import { duplicateOf } from '@colophon/sdk';
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../shell/project.js';
import { sayError } from '../shell/say-error.js';
import { marking as text } from '../strings/marking.js';
import { type Disclosure, type Marking, nameCopy, toMarkRequest } from './to-marking.js';

/** The service encodes a video again, which can take minutes. */
const TIMEOUT_MS = 5 * 60_000;

type State =
  | { kind: 'choosing'; fault?: string }
  /** `share` is undefined while the service makes the copy. */
  | { kind: 'sending'; share: number | undefined };

interface Attempt {
  aiDisclosure: Disclosure;
  actionId: string;
}

/** Makes a marked copy. The request ends when the component disappears. */
export function useMark(marking: Marking, onMade: (mark: Mark) => void) {
  const client = useClient();
  const [state, setState] = useState<State>({ kind: 'choosing' });
  const ending = useRef<AbortController>(undefined);
  useEffect(() => () => ending.current?.abort(), []);
  const start = async (attempt: Attempt) => {
    ending.current = new AbortController();
    const { signal } = ending.current;
    setState({ kind: 'sending', share: undefined });
    try {
      const file = await marking.read(signal);
      const { size } = file;
      const mark = await client.mark(file, toMarkRequest(marking, attempt), {
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
  return { state, start, cancel: () => ending.current?.abort() };
}

/** For a format without marks, the service would record the same bytes again, so it reports a duplicate. */
function sayFault(error: unknown): string {
  return duplicateOf(error) === undefined ? sayError(error) : text.unsupported;
}
