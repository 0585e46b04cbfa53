import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDirectory } from '../../src/platform/db/pglite/open-directory.js';
import { readEntries } from '../../src/platform/db/pglite/read-template.js';
import { readStartTemplate } from '../../src/platform/db/pglite/start-template.js';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'colophon-template-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

async function read(archive: string): Promise<number> {
  let entries = 0;
  for await (const _ of readEntries(archive)) entries++;
  return entries;
}

describe('a new database in a directory', () => {
  it('replaces the files of an interrupted start, and only its owner can read it', async () => {
    const unfinished = path.join(directory, 'pg.new');
    mkdirSync(unfinished);
    writeFileSync(path.join(unfinished, 'PG_VERSION'), 'interrupted');
    writeFileSync(path.join(unfinished, 'left'), '');
    const db = await openDirectory(directory);
    expect(await db.query('select count(*)::int as count from provenance.action')).toEqual([{ count: 0 }]);
    await db.close();
    const made = path.join(directory, 'pg');
    expect(readFileSync(path.join(made, 'PG_VERSION'), 'utf8')).not.toBe('interrupted');
    expect([existsSync(unfinished), existsSync(path.join(made, 'left'))]).toEqual([false, false]);
    const modes = [made, path.join(made, 'base'), path.join(made, 'PG_VERSION')].map(
      (file) => statSync(file).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o700, 0o600]);
  });
});

describe('a template', () => {
  const withBytes = (bytes: Uint8Array) => {
    const file = path.join(directory, 'altered.tar.gz');
    writeFileSync(file, bytes);
    return file;
  };
  const template = readFileSync(readStartTemplate() ?? '');
  const archive = gunzipSync(template);

  it('that is incomplete is rejected', async () => {
    expect(await read(withBytes(template))).toBeGreaterThan(1_000);
    await expect(read(withBytes(template.subarray(0, 100_000)))).rejects.toThrow('unexpected end of file');
    await expect(read(withBytes(gzipSync(archive.subarray(0, 100_000))))).rejects.toThrow('is incomplete');
  });

  it('that cannot be read is rejected', async () => {
    await expect(read(path.join(directory, 'absent'))).rejects.toThrow('ENOENT');
  });

  it('with an entry that is neither a file nor a directory is rejected', async () => {
    const altered = Buffer.from(archive);
    altered.write('2', 156);
    await expect(read(withBytes(gzipSync(altered)))).rejects.toThrow('an unsupported entry');
  });
});
