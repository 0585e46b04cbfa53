import type { HistoryNode } from '../history/history.js';

export interface Palette {
  paper: string;
  card: string;
  ink: string;
  soft: string;
  line: string;
  edge: string;
  part: string;
  accent: string;
  found: string;
  kinds: Record<HistoryNode['kind'], { fill: string; edge: string }>;
}

/** See `theme.css` and `explore.css`. */
const PROPERTIES = {
  paper: '--paper',
  card: '--card',
  ink: '--ink',
  soft: '--ink-soft',
  line: '--line',
  edge: '--picture-edge',
  part: '--picture-part',
  accent: '--accent',
  found: '--picture-found',
} as const;

/** A canvas does not resolve custom properties. */
export function readPalette(element: HTMLElement): Palette {
  const probe = document.createElement('span');
  element.append(probe);
  const colour = (property: string) => {
    probe.style.color = `var(${property})`;
    return getComputedStyle(probe).color;
  };
  const kind = (name: string) => ({
    fill: colour(`--picture-${name}`),
    edge: colour(`--picture-${name}-edge`),
  });
  const kinds = {
    resource: kind('resource'),
    action: kind('action'),
    entity: kind('entity'),
    tool: kind('tool'),
    group: kind('action'),
  };
  const plain = Object.fromEntries(
    Object.entries(PROPERTIES).map(([name, property]) => [name, colour(property)]),
  ) as Record<keyof typeof PROPERTIES, string>;
  probe.remove();
  return { ...plain, kinds };
}
