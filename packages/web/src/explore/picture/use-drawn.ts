import { useEffect, useMemo, useState } from 'react';
import { useLanguage } from '../../languages/use-language.js';
import type { Titles } from '../../shell/use-titles.js';
import { edgesOfNodes, type LabelledHistory, type Scene } from '../draw/scene.js';
import { groupSteps, openedFor } from '../history/group-steps.js';
import type { History } from '../history/history.js';
import { toLabels } from '../history/labels.js';
import { useScene } from '../layout/use-scene.js';

export interface Drawn {
  /** Every node, without groups, for the list, the search and the record. */
  full: LabelledHistory;
  /** Undefined until the first layout is ready. */
  scene: Scene | undefined;
  fault: string | undefined;
  /** Maps the id of a member to its group. */
  groupOf: ReadonlyMap<string, string>;
  hasOpened: boolean;
  openGroup: (id: string) => void;
  /** Opens the groups that contain a node. */
  openAround: (id: string) => void;
  closeGroups: () => void;
}

const NONE: ReadonlySet<string> = new Set();
const NO_GROUPS: ReadonlyMap<string, string> = new Map();

export function useDrawn(
  history: History,
  { titles, usesGroups }: { titles: Titles; usesGroups: boolean },
): Drawn {
  const [opened, setOpened] = useState(NONE);
  const { history: drawn, groupOf } = useMemo(
    () => (usesGroups ? groupSteps(history, opened) : { history, groupOf: NO_GROUPS }),
    [history, opened, usesGroups],
  );
  const { scene: laidOut, fault } = useScene(drawn);
  const language = useLanguage();
  // Titles and the language change the labels and not the layout.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the labels are in the language in use
  const scene = useMemo(
    () => laidOut && { ...laidOut, labels: toLabels(laidOut.history, titles, history) },
    [laidOut, titles, history, language],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the labels are in the language in use
  const full = useMemo(
    () => ({ history, labels: toLabels(history, titles), edgesOf: edgesOfNodes(history) }),
    [history, titles, language],
  );
  useEffect(() => {
    if (!usesGroups) setOpened(NONE);
  }, [usesGroups]);
  return {
    full,
    scene,
    fault,
    groupOf,
    hasOpened: opened.size > 0,
    openGroup: (id) => setOpened((before) => new Set([...before, id])),
    openAround: (id) => setOpened((before) => (groupOf.has(id) ? openedFor(history, before, id) : before)),
    closeGroups: () => setOpened(NONE),
  };
}
