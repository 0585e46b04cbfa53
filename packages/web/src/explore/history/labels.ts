import type { Entity } from '@colophon/model';
import { shortCid, titleOfType } from '../../shell/short-labels.js';
import type { Titles } from '../../shell/use-titles.js';
import { explore } from '../../strings/explore.js';
import type { History, HistoryNode } from './history.js';
import { toolOf } from './tool.js';

/** Text of a card. `mark` is a very short text for a card without a picture. */
export interface Label {
  title: string;
  detail: string;
  mark: string;
}

const MARK_LENGTH = 4;

/** Returns the label of each node. A content with a title shows it before its kind and CID. */
export function toLabels({ nodes }: Pick<History, 'nodes'>, titles: Titles = {}): Label[] {
  const names = new Map(
    nodes.flatMap((node) => (node.kind === 'entity' ? [[node.entity.id, nameOfEntity(node.entity)]] : [])),
  );
  const nameOf = (id: string) => names.get(id) ?? id;
  return nodes.map((node) => labelOf(node, { titles, nameOf }));
}

function labelOf(
  node: HistoryNode,
  { titles, nameOf }: { titles: Titles; nameOf: (entityId: string) => string },
): Label {
  switch (node.kind) {
    case 'resource': {
      const { type = 'other', mimeType = '', state } = node.resource ?? {};
      const from = state === 'referenced' ? ` · ${explore.referenced}` : '';
      const kind = explore.resourceTypes[type] ?? type;
      const title = titles[node.cid];
      return {
        title: title ?? kind,
        detail: `${title === undefined ? '' : `${kind} · `}${shortCid(node.cid)}${from}`,
        mark: markOf(mimeType.split('/')[1] ?? type),
      };
    }
    case 'action': {
      const tool = toolOf(node.action);
      const by = explore.by(nameOf(node.action.performedBy));
      return {
        title: titleOfType(node.action.type),
        detail: tool === undefined ? by : `${by} ${explore.withTool(tool.name)}`,
        mark: '',
      };
    }
    case 'entity':
      return {
        title: nameOfEntity(node.entity),
        detail: explore.roles[node.entity.role] ?? node.entity.role,
        mark: initialsOf(nameOfEntity(node.entity)),
      };
    case 'tool':
      return { title: node.tool.name, detail: node.tool.provider ?? explore.tool, mark: '' };
  }
}

function nameOfEntity({ name, id }: Entity): string {
  return name ?? id;
}

function markOf(type: string): string {
  return type
    .replace(/^x-|\+.*$|[^a-z0-9]/gi, '')
    .slice(0, MARK_LENGTH)
    .toUpperCase();
}

function initialsOf(name: string): string {
  const words = name.split(/[\s:._-]+/).filter((word) => word !== '');
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  return chosen
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}
