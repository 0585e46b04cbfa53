import { explore } from '../../strings/explore.js';
import type { EdgeKind, History } from '../history/history.js';
import type { Label } from '../history/labels.js';

const texts = explore.details;
const MAX_SHOWN = 12;

type GroupName = 'by' | 'credited' | 'tool' | 'used' | 'made' | 'didHere';
const GROUPS: { name: GroupName; of: 'from' | 'to'; kinds: EdgeKind[] }[] = [
  { name: 'by', of: 'from', kinds: ['performedBy'] },
  { name: 'credited', of: 'from', kinds: ['credits'] },
  { name: 'tool', of: 'from', kinds: ['usedTool'] },
  { name: 'used', of: 'from', kinds: ['consumes', 'produces'] },
  { name: 'made', of: 'to', kinds: ['produces', 'consumes'] },
  { name: 'didHere', of: 'to', kinds: ['performedBy', 'usedTool', 'credits'] },
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
        <h3>{texts[name]}</h3>
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
