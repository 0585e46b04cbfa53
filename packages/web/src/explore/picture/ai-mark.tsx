import { explore } from '../../strings/explore.js';
import type { Label } from '../history/labels.js';

/** Marks a step with AI in a text, as the mark in the picture. */
export function AiMark({ label }: { label: Label | undefined }) {
  if (!label?.isAi) return null;
  return (
    <>
      {' '}
      <span className="ai-mark">{explore.ai}</span>
    </>
  );
}
