import { explore } from '../../strings/explore.js';
import type { Label } from '../history/labels.js';

export function AiMark({ label }: { label: Label | undefined }) {
  if (!label?.isAi) return null;
  return (
    <>
      {' '}
      <span className="ai-mark">{explore.ai}</span>
    </>
  );
}
