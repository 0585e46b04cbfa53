import type { PublishedHistory } from '@colophon/model';
import { ApiError } from '@colophon/sdk';
import { useEffect, useState } from 'react';
import { openClient } from '../shell/project.js';
import { sayError } from '../shell/say-error.js';

export type PublishedState = 'loading' | 'absent' | { failed: string } | { history: PublishedHistory };

/** Reads the publication from the document, or from the service if the document does not contain it. */
export function usePublished(id: string): PublishedState {
  const [state, setState] = useState<PublishedState>(() => readDocument(id) ?? 'loading');
  useEffect(() => {
    const known = readDocument(id);
    setState(known ?? 'loading');
    if (known !== undefined) return;
    const ending = new AbortController();
    const { signal } = ending;
    openClient()
      .published.history(id, { signal })
      .then((history) => setState({ history }))
      .catch((error) => {
        if (signal.aborted) return;
        const isAbsent = error instanceof ApiError && ['NotFound', 'InvalidField'].includes(error.code);
        setState(isAbsent ? 'absent' : { failed: sayError(error) });
      });
    return () => ending.abort();
  }, [id]);
  return state;
}

/** The document does not contain a long history. */
function readDocument(id: string): { history: PublishedHistory } | undefined {
  const text = document.getElementById('published')?.textContent ?? '';
  if (text === '') return undefined;
  const history = JSON.parse(text) as PublishedHistory;
  return history.id === id ? { history } : undefined;
}
