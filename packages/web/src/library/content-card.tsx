import type { TitledResource } from '@colophon/model';
import { Link } from '../shell/navigation.js';
import { shortCid } from '../shell/short-labels.js';
import { aiLevels } from '../strings/ai-levels.js';
import { joinNames } from '../strings/describe-facts.js';
import { explore } from '../strings/explore.js';
import { library } from '../strings/library.js';
import { ui } from '../strings/ui.js';
import { Instant } from '../ui/instant.js';
import { Thumbnail } from '../ui/thumbnail.js';

interface CardProps {
  content: TitledResource;
  /** The part of the page that a card leads to. */
  of: 'explore' | 'shares';
  isPublished: boolean;
}

/** A content in the grid. A click anywhere on the card follows the link of the title. */
export function ContentCard({ content, of, isPublished }: CardProps) {
  const { cid, title = shortCid(cid), mimeType, type, createdAt, tool, ai, hasSources } = content;
  // The level in the list covers the steps that made the content, but not its sources. If there are sources, the card
  // says only that this step used no AI, and links to the history with the sources.
  const isOnlyStep = ai === 'human' && hasSources === true;
  const by = sayMakers(content);
  return (
    <li className="content-card">
      <Thumbnail cid={cid} title={title} {...(mimeType === undefined ? {} : { mimeType })} />
      <Link className="content-title" to={`/${of}/${cid}`}>
        {title}
      </Link>
      <p className="content-facts">
        {explore.resourceTypes[type] ?? type}
        {by === '' ? null : `, ${by}`}
        {tool === undefined ? null : `, ${library.withTool(tool)}`}
      </p>
      <p className="content-facts">
        <Instant at={createdAt} />
      </p>
      <p className="content-labels">
        {ai === undefined ? null : (
          <span className={`label ai-${ai}`}>{isOnlyStep ? library.noAiInStep : aiLevels[ai]}</span>
        )}
        {ai === 'generated' || ai === 'assisted' ? <span className="stated">{ui.inRecord}</span> : null}
        {isPublished ? <span className="label">{library.published}</span> : null}
      </p>
      {isOnlyStep ? (
        <p className="content-facts">
          <Link className="above" to={`/explore/${cid}`}>
            {library.seeSources}
          </Link>
        </p>
      ) : null}
    </li>
  );
}

/**
 * Names the present makers of a content, such as `by Ann and Bo`. Says so if a correction named one of them. Empty
 * without makers.
 */
export function sayMakers({ makers, createdBy, creatorName, correctedMaker }: TitledResource): string {
  const names = makers?.map(({ id, name }) => name ?? id) ?? [creatorName ?? createdBy ?? ''].filter(Boolean);
  if (names.length === 0) return '';
  const who = joinNames(names);
  const isCorrected = correctedMaker && (makers?.some(({ id }) => id === correctedMaker.id) ?? true);
  return isCorrected ? library.byCorrected(who) : library.by(who);
}
