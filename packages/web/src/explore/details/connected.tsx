import { explore } from '../../strings/explore.js';
import type { EdgeKind, History } from '../history/history.js';
import type { Label } from '../history/labels.js';

const texts = explore.details;
/** Maximum length of the list. */
const MAX_SHOWN = 12;

const GROUPS: { name: string; of: 'from' | 'to'; kinds: EdgeKind[] }[] = [
  { name: texts.by, of: 'from', kinds: ['performedBy'] },
  { name: texts.credited, of: 'from', kinds: ['credits'] },
  { name: texts.tool, of: 'from', kinds: ['usedTool'] },
  { name: texts.used, of: 'from', kinds: ['consumes', 'produces'] },
  { name: texts.made, of: 'to', kinds: ['produces', 'consumes'] },
  { name: texts.didHere, of: 'to', kinds: ['performedBy', 'usedTool', 'credits'] },
];

export function Connected({
  history,
  labels,
  node,
  onSelect,
}: {
  history: History;
  labels: readonly Label[];
  node: number;
  onSelect: (node: number) => void;
}) {
  const groups = GROUPS.map(({ name, of, kinds }) => ({
    name,
    nodes: history.edges.flatMap((edge) => {
      const isHere = (of === 'from' ? edge.to : edge.from) === node;
      return isHere && kinds.includes(edge.kind) ? [edge[of]] : [];
    }),
  })).filter(({ nodes }) => nodes.length > 0);
  return groups.map(({ name, nodes }) => {
    const shown = nodes.slice(0, MAX_SHOWN);
    return (
      <section key={name}>
        <h3>{name}</h3>
        <ul className="bare">
          {shown.map((index) => (
            <li key={index}>
              <button type="button" className="inline" onClick={() => onSelect(index)}>
                {labels[index]?.title} <span className="quiet">{labels[index]?.detail}</span>
              </button>
            </li>
          ))}
          {nodes.length > MAX_SHOWN ? (
            <li className="quiet">{explore.details.further(nodes.length - MAX_SHOWN)}</li>
          ) : null}
        </ul>
      </section>
    );
  });
}
