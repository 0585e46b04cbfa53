import { type Bundle, markedInput } from '@colophon/model';
import { type ReactNode, useCallback, useMemo } from 'react';
import { Link } from '../shell/navigation.js';
import { useClient } from '../shell/project.js';
import { nameContent } from '../shell/short-labels.js';
import { useLoaded } from '../shell/use-loaded.js';
import { useTitles } from '../shell/use-titles.js';
import { publish } from '../strings/publish.js';
import { Notice } from '../ui/notice.js';

const COPIES = { direction: 'descendants', depth: 1, limit: 500 } as const;

export interface MarkOffer {
  button: ReactNode;
  made: string | undefined;
}

/** Advises to publish a marked copy instead of the file. */
export function Unmarked({ cid, offer: { button, made } }: { cid: string; offer: MarkOffer }) {
  const client = useClient();
  const { value, fault } = useLoaded(
    useCallback(async () => {
      const bundle = await client.histories.bundle(cid, COPIES);
      return { earlier: findMarkedCopy(bundle) };
    }, [client, cid]),
  );
  if (value === undefined && fault === undefined) return null;
  const copy = value?.earlier ?? made;
  return (
    <Notice kind="warning" title={copy === undefined ? publish.unmarked : publish.hasMarkedCopy}>
      <div className="row">
        {copy === undefined ? null : <CopyLink cid={copy} />}
        {/* The dialog of the button shows a copy that it made, so the button stays. */}
        {value?.earlier === undefined ? button : null}
      </div>
    </Notice>
  );
}

function CopyLink({ cid }: { cid: string }) {
  const { titles } = useTitles(
    useClient(),
    useMemo(() => [cid], [cid]),
  );
  return <Link to={`/explore/${cid}`}>{nameContent(cid, titles)}</Link>;
}

/** The bundle must have the actions that used the content. */
export function findMarkedCopy({ cid, actions, aliases = {} }: Bundle): string | undefined {
  const canonical = (name: string) => aliases[name] ?? name;
  const marking = actions.findLast((action) => markedInput(action, canonical) === cid);
  return marking?.outputCids.map(canonical)[0];
}
