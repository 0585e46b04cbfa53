import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';

/**
 * Makes `data` a streaming copy of a running server, as `pg_basebackup -R -C -S` does. The npm package of the binaries
 * lacks `pg_basebackup`.
 */
export async function copyAsStandby(primaryUrl: string, data: string): Promise<void> {
  const client = new pg.Client({ connectionString: primaryUrl });
  await client.connect();
  try {
    const slot = path.basename(path.dirname(data)).replace(/\W/g, '_').toLowerCase();
    await client.query('select pg_create_physical_replication_slot($1, true)', [slot]);
    const { rows } = await client.query<{ from: string }>(
      `select current_setting('data_directory') as "from", pg_backup_start('standby', true)`,
    );
    const from = String(rows[0]?.from);
    execFileSync('cp', ['-a', from, data]);
    const stopped = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    emptyOut(data);
    const { uid, gid } = statSync(from);
    for (const [name, text] of [
      ['backup_label', stopped.rows[0]?.labelfile ?? ''],
      ['standby.signal', ''],
    ] as const) {
      writeFileSync(path.join(data, name), text);
      chownSync(path.join(data, name), uid, gid);
    }
    const settings = `primary_conninfo = '${primaryUrl}'\nprimary_slot_name = '${slot}'\n`;
    appendFileSync(path.join(data, 'postgresql.auto.conf'), settings);
  } finally {
    await client.end();
  }
}

/** Only the primary may have these files. The standby receives the write-ahead log by streaming. */
function emptyOut(data: string): void {
  for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(path.join(data, name), { force: true });
  for (const name of ['pg_wal', 'pg_replslot']) {
    const directory = path.join(data, name);
    const { uid, gid } = statSync(directory);
    rmSync(directory, { recursive: true });
    mkdirSync(directory, { mode: 0o700 });
    chownSync(directory, uid, gid);
  }
}
