import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isOfOneProject } from '../../src/platform/db/citus/route-statements.js';
import { LOCAL_TABLES, REFERENCE_TABLES } from '../../src/platform/db/citus/tables.js';
import { type Databases, openDatabases } from '../../src/platform/db/open-databases.js';

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));

/** Functions with a statement about several projects, and the reason. */
const CROSS_PROJECT: Readonly<Record<string, string>> = {
  listUnstampedLogs: 'one time-stamp covers the logs of all projects',
  listDueLogs: 'one anchor covers the logs of all projects',
  insertAnchors: 'one anchor covers the logs of all projects',
  countAnchors: 'metrics of the service',
  hasBinding: 'the payload of a watermark is unique in the service',
  listBoundAnywhere: 'the public detector knows no project',
  listStoredTotals: 'backup and integrity check of all projects',
  claimJobs: 'the jobs of all projects share a queue',
  claimOfAllProjects: 'the jobs of all projects share a queue',
  insertTimestamp: 'one time-stamp covers the logs of all projects',
  countFindings: 'metrics of the service',
  savePass: 'an integrity check visits the projects in order',
  endPass: 'ends an integrity check of all projects',
  readNextProject: 'an integrity check visits the projects in order',
  queueUndescribed: 'a walk describes earlier content of all projects',
  hasBacklog: 'metrics of the service',
  listDueFeeds: 'webhook feeds of all projects share a poll',
  listFeedProjects: 'a cleaning compares the feeds of all projects with the deleted projects',
  listLogs: 'a command compares the logs of all projects',
  listLogsWithoutHandover: 'a new key signs the logs of all projects',
  listUncosignedLogs: 'a round of the witnesses covers all projects',
};

interface Table {
  name: string;
  isOfProject: boolean;
  keys: string[][];
}

let databases: Databases;
let tables: Table[];
beforeAll(async () => {
  databases = await openDatabases({ kind: 'memory' });
  tables = await databases.provenance.query<Table>(
    `select c.relname as name, exists (
         select from pg_attribute a where a.attrelid = c.oid and a.attname = 'project_id' and not a.attisdropped
       ) as "isOfProject",
       coalesce((select jsonb_agg((select jsonb_agg(a.attname) from pg_attribute a
           where a.attrelid = c.oid and a.attnum = any(i.indkey)))
         from pg_index i where i.indrelid = c.oid and i.indisunique), '[]') as keys
     from pg_class c where c.relnamespace = 'provenance'::regnamespace and c.relkind in ('r', 'p') order by 1`,
  );
});
afterAll(() => databases.close());

const distributed = () => tables.filter(({ isOfProject }) => isOfProject);

describe('every table of records', () => {
  it('has the project in each of its keys, or is a reference table or a local table', () => {
    expect(distributed().length).toBeGreaterThan(25);
    for (const { name, keys } of distributed()) {
      expect(keys.length, name).toBeGreaterThan(0);
      for (const key of keys) expect(key, name).toContain('project_id');
    }
    const others = tables.filter(({ isOfProject }) => !isOfProject).map(({ name }) => name);
    expect(others).toEqual([...REFERENCE_TABLES, ...LOCAL_TABLES].sort());
  });
});

function readStatements(source: string): { sentBy: string; text: string }[] {
  return [...source.matchAll(/`(?:[^`\\]|\\.)*`|'[^'\n]*'/gs)].map(({ 0: text, index }) => {
    const names = [...source.slice(0, index).matchAll(/function\*? (\w+)/g)];
    return { sentBy: names.at(-1)?.[1] ?? '', text };
  });
}

function listSqlFiles(): string[] {
  const names = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.sql.ts') && !/^(control|management)\//.test(name));
}

/** All rows of a project are on one node. */
const namesProjects = (text: string) => /project_id = any\(\$1/.test(text);

const ANY_PROJECT = '00000000-0000-8000-8000-000000000001';

describe('every statement on a table of records', () => {
  it('names its project, or is listed with the reason', () => {
    const isOfRecords = new RegExp(
      `provenance\\.(?:${distributed()
        .map(({ name }) => name)
        .join('|')})\\b(?!\\()`,
    );
    const crossing = listSqlFiles()
      .flatMap((file) => readStatements(readFileSync(path.join(SOURCES, file), 'utf8')))
      .filter(({ text }) => /\b(?:select|insert|update|delete)\b/.test(text) && isOfRecords.test(text))
      .filter(({ text }) => !isOfOneProject(text, [ANY_PROJECT]) && !namesProjects(text))
      .map(({ sentBy }) => sentBy);
    expect([...new Set(crossing)].sort()).toEqual(Object.keys(CROSS_PROJECT).sort());
  });

  it('names an existing row by an alias of the table, because a shard of Citus has another name', () => {
    const updating =
      /insert into provenance\.(\w+)(?: as \w+)? \([\s\S]*?do update([\s\S]*?)(?=;|`|insert into|$)/g;
    const found = listSqlFiles().flatMap((file) => {
      const source = readFileSync(path.join(SOURCES, file), 'utf8');
      return [...source.matchAll(updating)].map(([, table, update]) => ({ file, table, update }));
    });
    expect(found.length).toBeGreaterThan(5);
    const unaliased = found.filter(({ table, update }) => new RegExp(`\\b${table}\\.`).test(update ?? ''));
    expect(unaliased.map(({ file, table }) => `${file}: ${table}`)).toEqual([]);
  });
});
