import { history } from '../../strings/history.js';

/** `onSelect` selects the later step. */
export function CorrectedMark({ onSelect }: { onSelect: (() => void) | undefined }) {
  if (onSelect === undefined) return <>{history.corrected}</>;
  return (
    <button type="button" className="inline" onClick={onSelect}>
      {history.corrected}
    </button>
  );
}
