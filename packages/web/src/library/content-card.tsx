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
  of: 'explore' | 'shares';
  isPublished: boolean;
}

/** A click anywhere on the card follows the link of the title. */
export function ContentCard({ content, of, isPublished }: CardProps) {
  const { cid, title = shortCid(cid), mimeType, type, createdAt, tool, ai, hasSources } = content;
  // The level in the list does not cover the sources, so the card says only that this step used no AI.
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

/** Returns, for example, `by Ann and Bo`. The result is empty without makers. */
export function sayMakers({ makers, createdBy, creatorName, correctedMaker }: TitledResource): string {
  const names = makers?.map(({ id, name }) => name ?? id) ?? [creatorName ?? createdBy ?? ''].filter(Boolean);
  if (names.length === 0) return '';
  const who = joinNames(names);
  const isCorrected = correctedMaker && (makers?.some(({ id }) => id === correctedMaker.id) ?? true);
  return isCorrected ? library.byCorrected(who) : library.by(who);
}
