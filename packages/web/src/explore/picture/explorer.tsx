import type { Bundle } from '@colophon/model';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { Titles, useTitles } from '../../shell/use-titles.js';
import { explore } from '../../strings/explore.js';
import { Button } from '../../ui/button.js';
import { Choice } from '../../ui/choice.js';
import { Notice } from '../../ui/notice.js';
import { Details } from '../details/details.js';
import type { PictureView } from '../draw/picture-view.js';
import type { Scene } from '../draw/scene.js';
import { choicesOf, type Filter, matching } from '../history/filter.js';
import type { History } from '../history/history.js';
import { toLabels } from '../history/labels.js';
import { search } from '../history/search.js';
import { foldBeyond, visiblePart } from '../history/visible-part.js';
import { useScene } from '../layout/use-scene.js';
import { Outline } from './outline.js';
import { Picture, useThumbnails } from './picture.js';
import { SaveButtons } from './save-buttons.js';
import { Filters, SearchField } from './tools.js';

const STEPS = [1, 3, 10];
const ZOOM_STEP = 1.5;

/** View options of a history. */
interface Wish {
  folded: ReadonlySet<string>;
  /** Maximum distance from the focus, in actions; empty for no limit. */
  steps: string;
  filter: Filter;
  hidesRest: boolean;
}

export function Explorer({
  bundle,
  whole,
  titles: { titles, change: changeTitle },
  children,
}: {
  bundle: Bundle;
  whole: History;
  titles: ReturnType<typeof useTitles>;
  children: ReactNode;
}) {
  const [wish, setWish] = useState<Wish>({ folded: new Set(), steps: '', filter: {}, hidesRest: false });
  const change = (part: Partial<Wish>) => setWish({ ...wish, ...part });
  const { folded, filter, hidesRest } = wish;
  const part = useMemo(() => {
    const only = hidesRest ? matching(whole, filter) : undefined;
    return visiblePart(whole, { folded, ...(only === undefined ? {} : { only }) });
  }, [whole, folded, filter, hidesRest]);
  const { scene: laidOut, fault } = useScene(part.history);
  // Titles change the labels and not the layout.
  const scene = useMemo(
    () => laidOut && { ...laidOut, labels: toLabels(laidOut.history, titles) },
    [laidOut, titles],
  );
  const fold = (id: string) => {
    const next = new Set(folded);
    if (!next.delete(id)) next.add(id);
    change({ folded: next, steps: '' });
  };
  const choices = useMemo(() => choicesOf(whole), [whole]);
  const foldTo = (steps: string) =>
    change({ steps, folded: steps === '' ? new Set() : foldBeyond(whole, Number(steps)) });
  return (
    <>
      <Filters
        choices={choices}
        filter={filter}
        onFilter={(next) => change({ filter: next })}
        first={children}
      >
        <Choice
          label={explore.fold.label}
          value={wish.steps}
          options={[
            { value: '', text: explore.fold.all },
            ...STEPS.map((steps) => ({ value: String(steps), text: explore.fold.within(steps) })),
          ]}
          onChoose={foldTo}
        />
        <label className="row">
          <input
            type="checkbox"
            checked={hidesRest}
            onChange={(event) => change({ hidesRest: event.target.checked })}
          />
          {explore.filters.hideRest}
        </label>
      </Filters>
      {fault === undefined ? null : <Notice kind="danger">{fault}</Notice>}
      {scene === undefined ? (
        <p className="quiet">{explore.drawing}</p>
      ) : (
        <Shown
          {...{ bundle, scene, titles, filter, folded }}
          hidden={part.hidden}
          onFold={fold}
          onTitle={changeTitle}
        />
      )}
    </>
  );
}

interface ShownProps {
  bundle: Bundle;
  scene: Scene;
  titles: Titles;
  filter: Filter;
  folded: ReadonlySet<string>;
  hidden: ReadonlyMap<string, number>;
  onFold: (id: string) => void;
  onTitle: (cid: string, title: string | null) => void;
}

function Shown({ bundle, scene, titles, filter, folded, hidden, onFold, onTitle }: ShownProps) {
  const viewRef = useRef<PictureView>(null);
  const thumbnails = useThumbnails(viewRef);
  const [chosenId, setChosenId] = useState<string>();
  const [hovered, setHovered] = useState<number>();
  const [wanted, setWanted] = useState('');
  const { history } = scene;
  const found = useMemo(() => search(history, scene.labels, wanted), [history, scene, wanted]);
  const lit = useMemo(() => matching(history, filter), [history, filter]);
  const selected = useMemo(() => indexOf(history, chosenId), [history, chosenId]);
  const marks = useMemo(
    () => ({ lit, found: new Set(found), hidden, selected, hovered }),
    [lit, found, hidden, selected, hovered],
  );
  const select = (node: number | undefined) =>
    setChosenId(node === undefined ? undefined : history.nodes[node]?.id);
  const show = (node: number) => {
    select(node);
    viewRef.current?.reveal(node);
  };
  const chosen = history.nodes[selected ?? -1];
  const canFold = chosen?.kind === 'resource' && selected !== history.focus;
  return (
    <>
      <div className="row spread">
        <SearchField found={found} onSearch={setWanted} onShow={show} />
        <p role="status" className="quiet grow">
          {explore.picture.size(history.nodes.length)} {explore.picture.order}{' '}
          {lit === undefined ? '' : explore.filters.matches(lit.size)}
        </p>
        <SaveButtons bundle={bundle} showing={{ scene, marks }} thumbnails={thumbnails} />
      </div>
      <div className="picture-and-record">
        <div className="picture">
          {thumbnails === undefined ? null : (
            <Picture {...{ scene, marks, thumbnails, viewRef }} onSelect={select} onPoint={setHovered} />
          )}
          <ViewButtons viewRef={viewRef} />
        </div>
        {selected === undefined || chosen === undefined ? null : (
          <aside className="card record" aria-label={explore.details.label}>
            <Details
              key={chosen.id}
              {...{ history, titles, node: selected, onFold, onTitle }}
              labels={scene.labels}
              isFolded={canFold ? folded.has(chosen.id) : undefined}
              onSelect={show}
              onClose={() => select(undefined)}
            />
          </aside>
        )}
      </div>
      <p id="picture-keys" className="hint">
        {explore.picture.keys}
      </p>
      <Outline {...{ scene, lit, selected }} onSelect={show} />
    </>
  );
}

function ViewButtons({ viewRef }: { viewRef: { current: PictureView | null } }) {
  return (
    <div className="view-buttons">
      <Button onClick={() => viewRef.current?.zoom(ZOOM_STEP)} aria-label={explore.picture.nearer}>
        +
      </Button>
      <Button onClick={() => viewRef.current?.zoom(1 / ZOOM_STEP)} aria-label={explore.picture.farther}>
        −
      </Button>
      <Button onClick={() => viewRef.current?.fit()}>{explore.picture.fit}</Button>
    </div>
  );
}

function indexOf({ nodes }: History, id: string | undefined): number | undefined {
  const index = id === undefined ? -1 : nodes.findIndex((node) => node.id === id);
  return index < 0 ? undefined : index;
}
