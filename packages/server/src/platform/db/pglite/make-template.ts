import { renameSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { type Database, type Tx, toTx } from '../database.js';
import { migrate } from '../migrate.js';
import { startTemplateFile } from './start-template.js';

// The build runs this file to create the start template.
const engine = await PGlite.create();

function toSession(session: Pick<PGlite, 'query' | 'exec'>): Tx {
  return toTx({
    query: async <Row>(text: string, parameters: readonly unknown[] = []) =>
      (await session.query<Row>(text, [...parameters])).rows,
    exec: async (sql) => void (await session.exec(sql)),
  });
}

const db: Database = {
  engine: 'pglite',
  query: toSession(engine).query,
  transaction: (run) => engine.transaction((session) => run(toSession(session))),
  close: () => engine.close(),
};
await migrate(db, 'control');
await migrate(db, 'provenance');
// Removes the write-ahead log of the migrations, so that no start replays it.
await engine.exec('set wal_recycle = off');
await engine.exec('select pg_switch_wal()');
await engine.exec('checkpoint');
const dump = await engine.dumpDataDir('none');
await db.close();
const file = startTemplateFile();
// Most bytes are zeros, so a higher level takes longer and saves little.
writeFileSync(`${file}.new`, gzipSync(await dump.arrayBuffer(), { level: 1 }));
renameSync(`${file}.new`, file);
