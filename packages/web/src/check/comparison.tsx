import { type ReactNode, useRef, useState } from 'react';
import { formatSize } from '../languages/formats.js';
import { useProject } from '../shell/project.js';
import { check } from '../strings/check.js';
import { Button } from '../ui/button.js';
import { FileDrop } from '../ui/file-drop.js';
import { Notice } from '../ui/notice.js';
import { type Findings, headlineOf, isMadeFrom } from './findings.js';
import { useCheckedFile } from './use-checked-file.js';
import { focusSearch, searchOf } from './use-detector.js';
import { type Search, VerdictCard } from './verdict-card.js';

const text = check.compare;

export interface ComparedFile {
  file: File;
  findings: Findings;
  /** From 0 to 1. */
  share: number;
  fault: string | undefined;
  /**
   * The search for a recorded file of which this file is an altered copy. Undefined after a detection for a visitor.
   */
  search: Search | undefined;
}

interface ComparisonProps {
  first: ComparedFile;
  second: File | undefined;
  /** Heading of the part in which the user can send the first file. */
  sendingPart: string;
}

/**
 * Compares the bytes of two files. With `second`, the comparison is the top of the result, so its headings are one
 * level higher.
 */
export function Comparison({ first, second, sendingPart }: ComparisonProps) {
  const [chosen, setChosen] = useState(second);
  const isAbove = second !== undefined;
  return (
    <section className="stack" aria-label={text.title}>
      {isAbove ? <h2>{text.title}</h2> : <h3>{text.title}</h3>}
      {chosen === undefined ? null : <Both {...{ first, sendingPart, isAbove }} file={chosen} />}
      <FileDrop
        title={chosen === undefined ? text.drop : text.dropAnother}
        hint={check.stays}
        onFiles={([file]) => setChosen(file)}
      />
    </section>
  );
}

function Both({
  first,
  file,
  sendingPart,
  isAbove,
}: Pick<ComparisonProps, 'first' | 'sendingPart'> & { file: File; isAbove: boolean }) {
  const second = useSecond(file);
  const sides = useRef<HTMLDivElement>(null);
  const [one, other] = [first.findings.digests?.contentDigest, second.findings.digests?.contentDigest];
  const nameOf = (name: string) => (isAbove ? <h3>{name}</h3> : <h4>{name}</h4>);
  const focusSide = (place: number) =>
    sides.current?.querySelectorAll('.verdict')[place]?.querySelector<HTMLElement>('.notice button')?.focus();
  return (
    <>
      <div role="status">
        {one === undefined || other === undefined ? null : (
          <Notice kind={one === other ? 'good' : 'warning'} title={one === other ? text.same : text.differ}>
            {one === other ? null : (
              <>
                <Connection first={first.findings} second={second.findings} />
                <ToSearch files={[first, second]} {...{ sendingPart, focusSide }} />
              </>
            )}
          </Notice>
        )}
      </div>
      <div className="compared" ref={sides}>
        <Side place={text.first} name={nameOf(first.file.name)} of={first} />
        <Side place={text.second} name={nameOf(file.name)} of={second} />
      </div>
    </>
  );
}

function Connection({ first, second }: { first: Findings; second: Findings }) {
  if (isMadeFrom(second, first.digests?.cid)) return <p>{text.secondFromFirst}</p>;
  return isMadeFrom(first, second.digests?.cid) ? <p>{text.firstFromSecond}</p> : null;
}

/**
 * Moves the focus to a search for similar content: in the verdict on a file, or else in the part that sends the first
 * file.
 */
function ToSearch({
  files,
  sendingPart,
  focusSide,
}: {
  files: readonly ComparedFile[];
  sendingPart: string;
  focusSide: (place: number) => void;
}) {
  const place = files.findIndex(
    ({ findings, search }) =>
      search !== undefined && search.share === undefined && headlineOf(findings)?.isExactOnly === true,
  );
  const isInSide = place !== -1;
  return (
    <>
      <p>{text.similar}</p>
      <div className="row">
        <Button onClick={() => (isInSide ? focusSide(place) : focusSearch())}>
          {text.goTo(isInSide ? check.service.search : sendingPart)}
        </Button>
      </div>
    </>
  );
}

/** The user can search with the second file, as with the first. */
function useSecond(file: File): ComparedFile {
  const { client } = useProject();
  const { findings, share, fault, checked, detector } = useCheckedFile(file, client);
  const search =
    client === undefined
      ? searchOf(detector, true)
      : { start: checked.ask, share: checked.share, isSending: true };
  return { file, findings, share, fault: fault ?? checked.fault ?? detector.fault, search };
}

function Side({ place, name, of }: { place: string; name: ReactNode; of: ComparedFile }) {
  const { file, findings, share, fault, search } = of;
  return (
    <div className="stack">
      <div>
        <p className="quiet">{place}</p>
        {name}
      </div>
      <VerdictCard
        file={file}
        title={<p className="quiet">{formatSize(file.size)}</p>}
        findings={findings}
        progress={share}
        fault={fault}
        search={search}
      />
    </div>
  );
}
