import type { RefObject } from 'react';
import { explore } from '../../strings/explore.js';
import { Button } from '../../ui/button.js';
import type { PictureView } from '../draw/picture-view.js';

const ZOOM_STEP = 1.5;

export function ViewButtons({
  viewRef,
  onCloseGroups,
}: {
  viewRef: RefObject<PictureView | null>;
  onCloseGroups: (() => void) | undefined;
}) {
  return (
    <div className="view-buttons">
      {onCloseGroups === undefined ? null : (
        <Button onClick={onCloseGroups}>{explore.groups.closeAll}</Button>
      )}
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
