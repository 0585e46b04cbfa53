import type { Bundle } from '@colophon/model';
import { useMemo } from 'react';
import { formatInstant } from '../languages/formats.js';
import { useLanguage } from '../languages/use-language.js';
import { correctionPath, listNewestSteps } from '../shell/correction.js';
import { Link } from '../shell/navigation.js';
import { explore } from '../strings/explore.js';
import { Menu } from '../ui/menu.js';
import type { History } from './history/history.js';
import { toLabels } from './history/labels.js';

const texts = explore.correction;
/** Maximum number of entries in the menu. */
const MOST = 10;

/** Links to the form that corrects the entry. For several entries, offers a choice of the newest. */
export function CorrectLinks({ bundle, history }: { bundle: Bundle; history: History }) {
  const language = useLanguage();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names are in the language in use
  const entries = useMemo(() => listEntries(bundle, history), [bundle, history, language]);
  const [only, ...others] = entries;
  if (only === undefined) return null;
  if (others.length === 0)
    return (
      <Link className="correct-entry" to={correctionPath(bundle.cid, only.id)}>
        {texts.ofEntry(only.name)}
      </Link>
    );
  return (
    <Menu label={explore.details.correct}>
      {entries.slice(0, MOST).map(({ id, name, at }) => (
        <Link key={id} to={correctionPath(bundle.cid, id)}>
          {texts.ofEntry(name)}, {formatInstant(at)}
        </Link>
      ))}
      {entries.length > MOST ? <p className="hint">{texts.inPicture}</p> : null}
    </Menu>
  );
}

/** Newest first, with the words of their cards in the picture. */
function listEntries(bundle: Bundle, history: History): { id: string; name: string; at: string }[] {
  const steps = listNewestSteps(bundle, bundle.cid);
  const ids = new Set(steps.map(({ id }) => id));
  const nodes = history.nodes.filter((node) => node.kind === 'action' && ids.has(node.action.id));
  const labels = toLabels({ nodes }, {}, history);
  const names = new Map(
    nodes.flatMap((node, place): [string, string][] => {
      const { title = '', detail = '' } = labels[place] ?? {};
      return node.kind === 'action' ? [[node.action.id, `${title} ${detail}`]] : [];
    }),
  );
  return steps.map(({ id, timestamp }) => ({ id, name: names.get(id) ?? id, at: timestamp }));
}
