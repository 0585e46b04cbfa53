import { type MentionStatement, statementDigest } from '@colophon/model';
import type { Tx } from '../platform/db/database.js';
import type { MapState } from './mention-index.js';
import { appendStatement, hasRecords, type ProjectMap, readLastStatement } from './mentions.sql.js';

export interface StatedMap {
  statement: MentionStatement;
  leafIndex: number;
}

/**
 * Returns the last statement if all later leaves are statements or hand-overs. Otherwise, appends a new statement.
 * The map of one proof version also covers the statements of the other version. If such a leaf needed a new statement,
 * two readers of different versions would make the log of an idle project grow forever.
 */
export async function stateMap(tx: Tx, map: ProjectMap, state: MapState): Promise<StatedMap> {
  const { leaves, names, root } = state;
  const last = await readLastStatement(tx, map);
  if (last !== undefined) {
    const since = { from: last.leaves, to: leaves };
    const isAlone = last.leaves === last.leafIndex && since.to === since.from + 1;
    if (since.from === since.to || isAlone || !(await hasRecords(tx, map.projectId, since)))
      return { statement: toStatement(map, { ...last, root }), leafIndex: last.leafIndex };
  }
  const statement = toStatement(map, { leaves, names, root });
  const digest = statementDigest(statement);
  return { statement, leafIndex: await appendStatement(tx, map.projectId, { statement, digest }) };
}

function toStatement(
  { version }: ProjectMap,
  { leaves, names, root }: Pick<MapState, 'leaves' | 'names' | 'root'>,
): MentionStatement {
  return { version, kind: 'mentions', leaves, names, root };
}
