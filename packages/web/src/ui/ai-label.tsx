import { describeLabel, type PublishedFacts } from '@colophon/model';
import { aiLevels } from '../strings/ai-levels.js';
import { published } from '../strings/public.js';
import { AI_ICONS } from './ai-icons.js';

type AiLevelOfFacts = PublishedFacts['ai'];

/** Whether the words in the icon differ from those of the page by more than capitals and hyphens. */
function hasOtherWords(ai: AiLevelOfFacts): boolean {
  const icon = AI_ICONS[ai];
  const plain = (text: string) => text.toLowerCase().replaceAll('-', ' ');
  return icon !== undefined && plain(describeLabel(icon).text) !== plain(aiLevels[ai]);
}

/**
 * The page draws the icon itself, because a request for it would reveal the level of a file that stays in this browser.
 */
export function AiIcon({ ai }: { ai: AiLevelOfFacts }) {
  const icon = AI_ICONS[ai];
  if (icon === undefined) return null;
  const { text, width, height } = describeLabel(icon);
  return (
    <svg className="ai-icon" width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img">
      <title>{text}</title>
      <rect x="1" y="1" width={width - 2} height={height - 2} rx="6" />
      <text x={width / 2} y="22" textAnchor="middle" textLength={width - 24}>
        {text}
      </text>
    </svg>
  );
}

/**
 * `isBesidePicture`: the icon is visible on a picture beside the label, so the label explains other icon words.
 * `source`: who or what states the level, unless `words` say this. `means`: shown beside the level `unstated`.
 */
export function AiLabel({
  ai,
  words = aiLevels[ai],
  isBesidePicture = false,
  source,
  means = aiLevels.unstatedMeans,
}: {
  ai: AiLevelOfFacts;
  words?: string | undefined;
  isBesidePicture?: boolean;
  source?: string | undefined;
  means?: string | undefined;
}) {
  return (
    <p className="ai-label">
      <span className={AI_ICONS[ai] === undefined ? undefined : 'ai-words'}>{words}</span>
      {ai === 'unstated' ? <span className="quiet">{means}</span> : null}
      {source === undefined ? null : <span className="quiet">{source}</span>}
      {isBesidePicture && hasOtherWords(ai) ? <span className="quiet">{published.iconWords}</span> : null}
    </p>
  );
}
