import type { Bundle } from '@colophon/model';
import type { KeyboardEvent, RefObject } from 'react';
import type { Titles } from '../../shell/use-titles.js';
import { explore } from '../../strings/explore.js';
import { CopyText } from '../../ui/copy-text.js';
import { UnmarkedHint } from '../details/content-level.js';
import { Details } from '../details/details.js';
import type { PictureView } from '../draw/picture-view.js';
import type { Marks, Scene } from '../draw/scene.js';
import type { History } from '../history/history.js';
import { Outline } from './outline.js';
import { Picture } from './picture.js';
import type { Thumbnails } from './thumbnails.js';
import type { Drawn } from './use-drawn.js';
import type { RecordFocus } from './use-record-focus.js';
import type { Selection } from './use-selection.js';
import { ViewButtons } from './view-buttons.js';

interface ShownProps {
  bundle: Bundle;
  drawn: Drawn;
  scene: Scene;
  marks: Marks;
  lit: ReadonlySet<number> | undefined;
  titles: Titles;
  folded: ReadonlySet<string>;
  selection: Selection;
  thumbnails: Thumbnails | undefined;
  viewRef: RefObject<PictureView | null>;
  record: RecordFocus;
  onShow: (node: number) => void;
  onFold: (id: string) => void;
  onTitle: (cid: string, title: string | null) => void;
  onPoint: (node: number | undefined) => void;
}

export function Shown({ drawn, scene, marks, selection, thumbnails, viewRef, ...props }: ShownProps) {
  const { full } = drawn;
  const pick = (node: number | undefined) => {
    const picked = node === undefined ? undefined : scene.history.nodes[node];
    if (picked?.kind !== 'group') return selection.select(picked?.id);
    if (selection.id === picked.id) selection.select(picked.group.firstId, { isNewEntry: false });
    selection.revealLater(picked.group.firstId);
    drawn.openGroup(picked.id);
  };
  const walk = (node: number) =>
    selection.select(scene.history.nodes[node]?.id, { isNewEntry: selection.id === undefined });
  const groups = scene.history.nodes.filter(({ kind }) => kind === 'group').length;
  return (
    <>
      <div className="picture-and-record">
        <div className="picture">
          {thumbnails === undefined ? null : (
            <Picture
              {...{ scene, marks, thumbnails, viewRef }}
              onSelect={pick}
              onWalk={walk}
              onPoint={props.onPoint}
            />
          )}
          <ViewButtons viewRef={viewRef} onCloseGroups={drawn.hasOpened ? drawn.closeGroups : undefined} />
        </div>
        <Record {...{ drawn, scene, selection, onOpen: pick }} {...props} />
        <div className="below">
          <UnmarkedHint bundle={props.bundle} cid={props.bundle.cid} />
          <p role="status" className="hint">
            {explore.picture.size(full.history.nodes.length)}{' '}
            {groups === 0 ? '' : `${explore.groups.shown(groups)} `}
            {explore.picture.order} {props.lit === undefined ? '' : explore.filters.matches(props.lit.size)}
          </p>
          <p id="picture-keys" className="hint">
            {explore.picture.keys} {explore.zoomKeys}
          </p>
          <Outline
            scene={full}
            lit={props.lit}
            selected={indexOf(full.history, selection.id)}
            onSelect={props.onShow}
          />
          <CopyText text={props.bundle.cid} label={explore.details.id} />
        </div>
      </div>
    </>
  );
}

function Record({
  bundle,
  drawn: { full },
  scene,
  selection,
  record,
  onOpen,
  titles,
  folded,
  onShow,
  onFold,
  onTitle,
}: Pick<ShownProps, 'bundle' | 'drawn' | 'scene' | 'selection' | 'record' | 'titles' | 'folded'> &
  Pick<ShownProps, 'onShow' | 'onFold' | 'onTitle'> & { onOpen: (node: number) => void }) {
  const inFull = indexOf(full.history, selection.id);
  const [shown, node] = inFull === undefined ? [scene, indexOf(scene.history, selection.id)] : [full, inFull];
  const chosen = shown.history.nodes[node ?? -1];
  if (node === undefined || chosen === undefined) return null;
  const canFold = chosen.kind === 'resource' && node !== shown.history.focus;
  const press = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') record.close();
  };
  const follow = (next: number) => {
    if (shown === full) onShow(next);
    else record.show(scene.history.nodes[next]?.id);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementInteractions: Escape closes the record from any of its controls
    <aside className="card record" aria-label={explore.details.label} onKeyDown={press}>
      <Details
        key={chosen.id}
        {...{ bundle, titles, node, onFold, onTitle }}
        history={shown.history}
        labels={shown.labels}
        isFolded={canFold ? folded.has(chosen.id) : undefined}
        takesFocus={record.takesFocus}
        onOpenGroup={chosen.kind === 'group' ? () => onOpen(node) : undefined}
        onSelect={follow}
        onClose={record.close}
      />
    </aside>
  );
}

function indexOf({ nodes }: History, id: string | undefined): number | undefined {
  const index = id === undefined ? -1 : nodes.findIndex((node) => node.id === id);
  return index < 0 ? undefined : index;
}
