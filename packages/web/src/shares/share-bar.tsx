import { shares as text } from '../strings/shares.js';
import type { ShareRow } from './share-rows.js';

/** Colours that people can tell apart. The table shows the same data as text. */
const COLOURS = 6;
const HEIGHT = 40;
const WIDTH = 1000;

export function ShareBar({ rows, total }: { rows: readonly ShareRow[]; total: number }) {
  const summary = rows.map(({ name, percent }) => `${name} ${percent}`).join(', ');
  const before = (index: number) => rows.slice(0, index).reduce((sum, { units }) => sum + units, 0);
  return (
    <svg
      className="share-bar"
      role="img"
      aria-label={text.bar(summary)}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      <title>{text.bar(summary)}</title>
      {rows.map(({ entityId, name, percent, units }, index) => (
        <rect
          key={entityId}
          className={`share-${index % COLOURS}`}
          x={(before(index) / total) * WIDTH}
          y={0}
          width={(units / total) * WIDTH}
          height={HEIGHT}
        >
          <title>{`${name} ${percent}`}</title>
        </rect>
      ))}
    </svg>
  );
}

export function ShareMark({ index }: { index: number }) {
  return <span aria-hidden="true" className={`share-mark share-${index % COLOURS}`} />;
}
