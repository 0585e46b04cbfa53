import type { Bundle } from '@colophon/model';
import { useMemo, useState } from 'react';
import { useClient } from '../shell/project.js';
import type { StoryProps } from '../shell/story.js';
import { useTitlesOf } from '../shell/use-titles.js';
import { explore } from '../strings/explore.js';
import { Button } from '../ui/button.js';
import { Choice } from '../ui/choice.js';
import { Notice } from '../ui/notice.js';
import './explore.css';
import { SharedCopies, useMarkOffer } from '../marking/mark-button.js';
import { markingOf } from '../marking/marking-of.js';
import { PublishButton } from '../publishing/publish-button.js';
import { Link } from '../shell/navigation.js';
import { CorrectLinks } from './correct-links.js';
import { ShortLevel } from './details/content-level.js';
import { TitleField } from './details/title-field.js';
import { toHistory } from './history/history.js';
import { Explorer } from './picture/explorer.js';
import { type Asked, FIRST_ACTIONS, MOST_ACTIONS, useBundle } from './picture/use-bundle.js';

const DIRECTIONS: Asked['direction'][] = ['ancestors', 'descendants', 'both'];
const MORE_TIMES = 5;

export function ExplorePage({ values: { cid = '' } }: StoryProps) {
  return (
    <div className="explore stack">
      <SharedCopies key={cid}>
        <ExploreContent cid={cid} />
      </SharedCopies>
    </div>
  );
}

function ExploreContent({ cid }: { cid: string }) {
  const client = useClient();
  const [asked, setAsked] = useState<Asked>({ direction: 'ancestors', limit: FIRST_ACTIONS });
  const { bundle, fault, isReading } = useBundle(client, cid, asked);
  const history = useMemo(() => bundle && toHistory(bundle), [bundle]);
  const titles = useTitlesOf(client, bundle);
  const choose = (direction: Asked['direction']) => setAsked({ ...asked, direction });
  return (
    <>
      <div className="row spread explore-head">
        <div className="row">
          <h1>{titles.titles[bundle?.cid ?? cid] ?? explore.title}</h1>
          {bundle === undefined ? null : <ShortLevel bundle={bundle} cid={bundle.cid} />}
        </div>
        <div className="row">
          {bundle === undefined ? null : (
            <>
              <TitleField
                key={titles.titles[bundle.cid] ?? ''}
                cid={bundle.cid}
                title={titles.titles[bundle.cid]}
                onTitle={titles.change}
              />
              {history === undefined ? null : <CorrectLinks bundle={bundle} history={history} />}
            </>
          )}
          <Link to="/explore">{explore.start.another}</Link>
          {fault !== undefined && bundle === undefined ? null : (
            <>
              <Link to={`/shares/${cid}`}>{explore.start.shares}</Link>
              <Publish bundle={bundle} cid={cid} title={titles.titles[bundle?.cid ?? cid]} />
            </>
          )}
        </div>
      </div>
      {fault === undefined ? null : <Notice kind="danger">{fault}</Notice>}
      {titles.fault === undefined ? null : <p className="quiet">{titles.fault}</p>}
      <p role="status" className={isReading ? 'quiet' : 'unseen'}>
        {isReading ? explore.reading : ''}
      </p>
      {bundle === undefined || bundle.complete ? null : (
        <Notice kind="warning" title={explore.partial(bundle.actions.length)}>
          {asked.limit >= MOST_ACTIONS ? (
            <p>{explore.partialAll}</p>
          ) : (
            <div className="row">
              <Button
                disabled={isReading}
                onClick={() =>
                  setAsked({ ...asked, limit: Math.min(MOST_ACTIONS, asked.limit * MORE_TIMES) })
                }
              >
                {explore.more}
              </Button>
            </div>
          )}
        </Notice>
      )}
      {bundle === undefined || history === undefined ? null : (
        <Explorer bundle={bundle} whole={history} titles={titles}>
          <Choice
            label={explore.direction.label}
            isLabelUnseen
            value={asked.direction}
            options={DIRECTIONS.map((value) => ({ value, text: explore.direction[value] }))}
            onChoose={choose}
          />
        </Explorer>
      )}
    </>
  );
}

interface PublishProps {
  bundle: Bundle | undefined;
  cid: string;
  title: string | undefined;
}

function Publish({ bundle, cid, title = '' }: PublishProps) {
  const client = useClient();
  const marking = useMemo(
    () => bundle && markingOf(client, bundle, { cid: bundle.cid, title }),
    [client, bundle, title],
  );
  const markOffer = useMarkOffer(marking, bundle?.cid);
  return (
    <>
      {markOffer?.button}
      <PublishButton cid={cid} markOffer={markOffer} />
    </>
  );
}
