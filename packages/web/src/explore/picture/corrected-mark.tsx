import { history } from '../../strings/history.js';

/** The mark of a step that a later step corrects. `onSelect` selects the later step. */
export function CorrectedMark({ onSelect }: { onSelect: (() => void) | undefined }) {
  if (onSelect === undefined) return <>{history.corrected}</>;
  return (
    <button type="button" className="inline" onClick={onSelect}>
      {history.corrected}
    </button>
  );
}
