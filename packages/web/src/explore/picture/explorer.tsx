import type { Bundle } from '@colophon/model';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { useTitles } from '../../shell/use-titles.js';
import { explore } from '../../strings/explore.js';
import { Choice } from '../../ui/choice.js';
import { Notice } from '../../ui/notice.js';
import type { PictureView } from '../draw/picture-view.js';
import { choicesOf, type Filter, matching } from '../history/filter.js';
import type { History } from '../history/history.js';
import { search } from '../history/search.js';
import { foldBeyond, visiblePart } from '../history/visible-part.js';
import { useThumbnails } from './picture.js';
import { SaveMenu } from './save-menu.js';
import { Shown } from './shown.js';
import { toMarks } from './to-marks.js';
import { Filters, SearchField } from './tools.js';
import { useDrawn } from './use-drawn.js';
import { useRecordFocus } from './use-record-focus.js';
import { useSelection } from './use-selection.js';

const STEPS = [1, 3, 10];

interface ViewOptions {
  folded: ReadonlySet<string>;
  /** Maximum distance from the focus, in actions; empty: no limit. */
  steps: string;
  filter: Filter;
  hidesRest: boolean;
  usesGroups: boolean;
}

const START: ViewOptions = { folded: new Set(), steps: '', filter: {}, hidesRest: false, usesGroups: true };

interface ExplorerProps {
  bundle: Bundle;
  whole: History;
  titles: ReturnType<typeof useTitles>;
  children: ReactNode;
}

export function Explorer({
  bundle,
  whole,
  titles: { titles, change: changeTitle },
  children,
}: ExplorerProps) {
  const [options, setOptions] = useState(START);
  const change = (part: Partial<ViewOptions>) => setOptions({ ...options, ...part });
  const { folded, filter, hidesRest, usesGroups } = options;
  const part = useMemo(() => {
    const only = hidesRest ? matching(whole, filter) : undefined;
    return visiblePart(whole, { folded, ...(only === undefined ? {} : { only }) });
  }, [whole, folded, filter, hidesRest]);
  const drawn = useDrawn(part.history, { titles, usesGroups });
  const { full, scene, fault } = drawn;
  const viewRef = useRef<PictureView>(null);
  const thumbnails = useThumbnails(viewRef);
  const selection = useSelection(drawn, { viewRef, isReady: thumbnails !== undefined });
  const [query, setQuery] = useState('');
  const [hovered, setHovered] = useState<number>();
  const found = useMemo(() => search(full.history, full.labels, query), [full, query]);
  const lit = useMemo(() => matching(full.history, filter), [full, filter]);
  const marks = useMemo(
    () => toMarks(drawn, { lit, found, hidden: part.hidden, selectedId: selection.id, hovered }),
    [drawn.scene, drawn.groupOf, drawn.full, lit, found, part, selection.id, hovered],
  );
  const fold = (id: string) => {
    const next = new Set(folded);
    if (!next.delete(id)) next.add(id);
    change({ folded: next, steps: '' });
  };
  const record = useRecordFocus(selection);
  const show = (node: number) => record.show(full.history.nodes[node]?.id);
  const choices = useMemo(() => choicesOf(whole), [whole]);
  return (
    <>
      <div className="toolbar">
        <SearchField found={found} onSearch={setQuery} onShow={show} />
        {children}
        <Filters choices={choices} filter={filter} onFilter={(next) => change({ filter: next })}>
          <Depth {...{ options, whole }} onChange={change} />
        </Filters>
        {scene === undefined ? null : <SaveMenu {...{ bundle, thumbnails }} showing={{ scene, marks }} />}
      </div>
      {fault === undefined ? null : <Notice kind="danger">{fault}</Notice>}
      {scene === undefined ? (
        <p className="quiet">{explore.drawing}</p>
      ) : (
        <Shown
          {...{ drawn, scene, marks, lit, titles, folded, selection, thumbnails, viewRef, record }}
          onShow={show}
          bundle={bundle}
          onFold={fold}
          onTitle={changeTitle}
          onPoint={setHovered}
        />
      )}
    </>
  );
}

function Depth({
  options: { steps, hidesRest, usesGroups },
  whole,
  onChange,
}: {
  options: ViewOptions;
  whole: History;
  onChange: (part: Partial<ViewOptions>) => void;
}) {
  const foldTo = (next: string) =>
    onChange({ steps: next, folded: next === '' ? new Set() : foldBeyond(whole, Number(next)) });
  return (
    <>
      <Choice
        label={explore.fold.label}
        value={steps}
        options={[
          { value: '', text: explore.fold.all },
          ...STEPS.map((count) => ({ value: String(count), text: explore.fold.within(count) })),
        ]}
        onChoose={foldTo}
      />
      <Check
        label={explore.filters.hideRest}
        isOn={hidesRest}
        onChange={(isOn) => onChange({ hidesRest: isOn })}
      />
      <Check
        label={explore.groups.use}
        isOn={usesGroups}
        onChange={(isOn) => onChange({ usesGroups: isOn })}
      />
    </>
  );
}

function Check({
  label,
  isOn,
  onChange,
}: {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}) {
  return (
    <label className="row tight">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  );
}
