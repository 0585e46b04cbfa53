import { type RefObject, useEffect, useRef } from 'react';
import { setQueryValue, useQueryValue } from '../../shell/navigation.js';
import type { PictureView } from '../draw/picture-view.js';
import type { Drawn } from './use-drawn.js';

const STEP = 'step';

export interface Selection {
  id: string | undefined;
  /** Selects a node without a move of the picture. `isNewEntry`: Back returns to the previous node. */
  select: (id: string | undefined, options?: { isNewEntry: boolean }) => void;
  /** Selects a node, opens the groups around it, and moves it to the centre. */
  show: (id: string) => void;
  /** Moves a node to the centre as soon as the picture has it. */
  revealLater: (id: string) => void;
}

/** `isFromAddress`: the node comes from a link or Back, so the picture moves only if necessary. */
interface Wanted {
  id: string;
  isFromAddress: boolean;
}

/** The selected node is in the address, so that links and Back lead to it. */
export function useSelection(
  { scene, groupOf, openAround }: Drawn,
  { viewRef, isReady }: { viewRef: RefObject<PictureView | null>; isReady: boolean },
): Selection {
  const id = useQueryValue(STEP);
  const known = useRef<string>(undefined);
  const waiting = useRef<Wanted>(undefined);
  const select = (next: string | undefined, { isNewEntry } = { isNewEntry: true }) => {
    known.current = next;
    if (next !== id) setQueryValue(STEP, next, { isNewEntry });
  };
  const latestOpen = useRef(openAround);
  latestOpen.current = openAround;
  useEffect(() => {
    // Only Back and links with a node change `id` without a call of `select`.
    if (id === known.current) return;
    known.current = id;
    waiting.current = id === undefined ? undefined : { id, isFromAddress: true };
    if (id !== undefined) latestOpen.current(id);
  }, [id]);
  const reveal = () => {
    const [view, wanted] = [viewRef.current, waiting.current];
    if (view === null || scene === undefined || !isReady || wanted === undefined) return;
    const shownId = groupOf.get(wanted.id) ?? wanted.id;
    const node = scene.history.nodes.findIndex((one) => one.id === shownId);
    if (node < 0) return;
    waiting.current = undefined;
    if (wanted.isFromAddress) view.revealIfNeeded(node);
    else view.reveal(node);
  };
  // A new layout can contain the node in `waiting`.
  useEffect(reveal);
  return {
    id,
    select,
    show(next) {
      select(next);
      waiting.current = { id: next, isFromAddress: false };
      if (groupOf.has(next)) openAround(next);
      else reveal();
    },
    revealLater: (next) => {
      waiting.current = { id: next, isFromAddress: false };
    },
  };
}
