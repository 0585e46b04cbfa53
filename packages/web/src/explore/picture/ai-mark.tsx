import { explore } from '../../strings/explore.js';
import type { Label } from '../history/labels.js';

/** Adds a mark to the text of a step with AI. The picture has the same mark. */
export function AiMark({ label }: { label: Label | undefined }) {
  if (!label?.isAi) return null;
  return (
    <>
      {' '}
      <span className="ai-mark">{explore.ai}</span>
    </>
  );
}
