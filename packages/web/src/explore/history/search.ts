import { promptsOf } from '@colophon/model';
import type { History, HistoryNode } from './history.js';
import type { Label } from './labels.js';

/** Returns the nodes that contain every word of `text`, ignoring case; none without words. */
export function search({ nodes }: History, labels: readonly Label[], text: string): number[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return nodes.flatMap((node, index) => {
    const known = `${labels[index]?.title} ${labels[index]?.detail} ${wordsOf(node)}`.toLowerCase();
    return words.every((word) => known.includes(word)) ? [index] : [];
  });
}

function wordsOf(node: HistoryNode): string {
  switch (node.kind) {
    case 'resource':
      return `${node.cid} ${node.resource?.type ?? ''} ${node.resource?.mimeType ?? ''} ${node.notes.join(' ')}`;
    case 'action':
      return [
        node.action.id,
        node.action.type,
        node.action.sessionId,
        ...node.notes,
        ...promptsOf(node.action),
      ]
        .filter(Boolean)
        .join(' ');
    case 'entity':
      return `${node.entity.id} ${node.entity.role}`;
    case 'tool':
    case 'group':
      return node.id;
  }
}
