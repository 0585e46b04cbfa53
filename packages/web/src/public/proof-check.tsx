import type { PublishedHistory } from '@colophon/model';
import { useState } from 'react';
import { sayError } from '../shell/say-error.js';
import { published } from '../strings/public.js';
import { Button } from '../ui/button.js';
import { CopyText } from '../ui/copy-text.js';
import { Notice } from '../ui/notice.js';
import type { Verdict } from './verify-published.js';

type State = 'idle' | 'checking' | Verdict;

/** Verifies the shown history against the log in this browser. The code of the check loads at its first use. */
export function ProofCheck({ history }: { history: PublishedHistory }) {
  const [state, setState] = useState<State>('idle');
  if (!history.provable) return <p>{published.notProvable}</p>;
  const check = async () => {
    setState('checking');
    try {
      const { verifyPublished } = await import('./verify-published.js');
      setState(await verifyPublished(history));
    } catch (error) {
      setState({ refused: sayError(error) });
    }
  };
  return (
    <>
      <p>{published.provable}</p>
      <div className="row">
        <Button kind="primary" onClick={check} disabled={state === 'checking'}>
          {state === 'checking' ? published.checking : published.check}
        </Button>
      </div>
      <div aria-live="polite">
        {typeof state === 'string' ? null : (
          <Outcome verdict={state} verifierKey={history.log?.verifierKey} />
        )}
      </div>
    </>
  );
}

function Outcome({ verdict, verifierKey = '' }: { verdict: Verdict; verifierKey: string | undefined }) {
  if ('refused' in verdict) return <Notice kind="danger">{published.refused(verdict.refused)}</Notice>;
  return (
    <Notice kind="good" title={published.verified(verdict.records)}>
      <p>{verdict.isWhole ? published.whole : published.cut}</p>
      <details>
        <summary>{published.keyFromHere}</summary>
        <CopyText text={verifierKey} label="" />
      </details>
    </Notice>
  );
}
