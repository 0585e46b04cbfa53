import { describeLabel, type PublishedFacts } from '@colophon/model';
import { aiLevels } from '../strings/ai-levels.js';
import { AI_ICONS } from './ai-icons.js';

type AiLevelOfFacts = PublishedFacts['ai'];

/**
 * The icon of a level of AI, for display beside its words. Draws nothing for a level without an icon. The page draws the
 * icon itself: a request for it would show the service the level of a file that stays in this browser.
 */
export function AiIcon({ ai }: { ai: AiLevelOfFacts }) {
  const icon = AI_ICONS[ai];
  if (icon === undefined) return null;
  const { text, width, height } = describeLabel(icon);
  return (
    <svg
      className="ai-icon"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
    >
      <rect x="1" y="1" width={width - 2} height={height - 2} rx="6" />
      <text x={width / 2} y="22" textAnchor="middle" textLength={width - 24}>
        {text}
      </text>
    </svg>
  );
}

/**
 * The level of AI in words; by default, the words for the level. A level with an icon looks like its icon, which is on the
 * picture. `source`: says who or what states the level, if the words do not.
 */
export function AiLabel({
  ai,
  words = aiLevels[ai],
  source,
}: {
  ai: AiLevelOfFacts;
  words?: string | undefined;
  source?: string | undefined;
}) {
  return (
    <p className="ai-label">
      <span className={AI_ICONS[ai] === undefined ? undefined : 'ai-words'}>{words}</span>
      {ai === 'unstated' ? <span className="quiet">{aiLevels.unstatedMeans}</span> : null}
      {source === undefined ? null : <span className="quiet">{source}</span>}
    </p>
  );
}
