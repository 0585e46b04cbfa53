import { readFileSync } from 'node:fs';
import pg from 'pg';
import type { Database } from '../../src/platform/db/database.js';
import { readFunctions } from '../../src/platform/db/layers.js';

const SOURCE = new URL('../../../../bench/support/history-oracle.sql', import.meta.url);

/** On a cluster, each shard gets the functions. */
export async function installHistoryOracle(db: Database): Promise<void> {
  const sql = readFileSync(SOURCE, 'utf8');
  if (!db.isDistributed) return db.transaction((tx) => tx.exec(sql));
  // `place_functions` drops the functions of a shard that are not in its first argument.
  const sources = [...readFunctions('provenance').map((file) => file.sql), sql].map(pg.escapeLiteral);
  const failed = await db.query('select result from run_command_on_workers($1) where not success', [
    `select provenance.place_functions(array[${sources.join(', ')}], 'with the oracle')`,
  ]);
  if (failed.length > 0) throw new Error(JSON.stringify(failed));
}
