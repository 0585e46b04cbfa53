import { namePerformers, type PublishedHistory } from '@colophon/model';
import { formatList } from '../languages/formats.js';
import { published } from '../strings/public.js';
import { CopyText } from '../ui/copy-text.js';
import { Notice } from '../ui/notice.js';
import type { ProofState } from './use-proof.js';

export function ProofTick({ state }: { state: ProofState }) {
  const [kind, mark, text] = tickOf(state);
  return (
    <p className={`tick ${kind}`} role="status">
      <span aria-hidden="true" className="tick-mark">
        {mark}
      </span>
      <a href="#proof">{text}</a>
    </p>
  );
}

function tickOf(state: ProofState): [kind: string, mark: string, text: string] {
  if (state === 'checking') return ['quiet', '…', published.checking];
  if (state === 'unprovable') return ['quiet', '–', published.unprovable];
  if ('refused' in state) return ['bad', '✕', published.notVerified];
  return ['good', '✓', published.tick(state.records)];
}

export function ProofResult({ history, state }: { history: PublishedHistory; state: ProofState }) {
  if (state === 'unprovable') {
    return (
      <p>
        {published.notProvable} {sayStatements(history)}
      </p>
    );
  }
  return (
    <>
      <p>{published.provable}</p>
      {state === 'checking' ? (
        <p className="quiet">{published.checking}</p>
      ) : 'refused' in state ? (
        <Notice kind="danger">{published.refused(state.refused)}</Notice>
      ) : (
        <Notice kind="good" title={published.verified(state.records)}>
          <p>{state.isWhole ? published.whole : published.cut}</p>
          <p>{sayStatements(history)}</p>
          <details>
            <summary>{published.forExperts}</summary>
            <p>{published.keyFromHere}</p>
            <CopyText text={history.log?.verifierKey ?? ''} label={published.logKey} />
          </details>
        </Notice>
      )}
    </>
  );
}

function sayStatements(history: PublishedHistory): string {
  const names = namePerformers(history);
  return names.length === 0 ? published.unnamedStatements : published.statements(formatList(names));
}
