import type { PublishedHistory } from '@colophon/model';
import { useEffect, useState } from 'react';
import { sayError } from '../shell/say-error.js';
import type { Verdict } from './verify-published.js';

export type ProofState = 'unprovable' | 'checking' | Verdict;

/** The code of the check loads separately. */
export function useProof(history: PublishedHistory): ProofState {
  const [state, setState] = useState<ProofState>(history.provable ? 'checking' : 'unprovable');
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const finish = (verdict: Verdict) => {
      if (!signal.aborted) setState(verdict);
    };
    setState(history.provable ? 'checking' : 'unprovable');
    if (history.provable)
      import('./verify-published.js')
        .then(({ verifyPublished }) => verifyPublished(history, signal))
        .then(finish, (error) => finish({ refused: sayError(error) }));
    return () => ending.abort();
  }, [history]);
  return state;
}
