import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findAbsent, findViolations } from './support/imports.js';
import { readSource } from './support/source-text.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SERVER = 'packages/server/src/';
const MODEL = 'packages/model/src/';
const SDK = 'packages/sdk/src/';
const WEB = 'packages/web/src/';

function readSources(folder: string): Map<string, string> {
  const names = readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => /\.tsx?$/.test(name)).map((name) => `${folder}${name}`);
  return new Map(files.map((file) => [file, readFileSync(path.join(ROOT, file), 'utf8')]));
}

function violations(files: Record<string, string>): string[] {
  return findViolations(new Map(Object.entries(files)));
}

describe('the sources', () => {
  it('respect the rules for imports, and for the locations of SQL, of `process.env` and of packages', () => {
    const files = new Map([SERVER, MODEL, SDK, WEB].flatMap((folder) => [...readSources(folder)]));
    expect(files.size).toBeGreaterThan(20);
    expect(findViolations(files)).toEqual([]);
  });

  it('have every folder and file that the rules name', () => {
    const files = readSources(SERVER);
    expect(findAbsent(files)).toEqual([]);
    files.delete(`${SERVER}context.ts`);
    files.delete(`${SERVER}cli/watch/tile-log.ts`);
    expect(findAbsent(files)).toEqual(['context.ts', 'cli/watch/tile-log.ts']);
  });

  it('use no regular expression to remove repeated characters from the end of a long text', () => {
    const folders = ['control', 'http', 'management', 'media', 'records', 'search'];
    const files = [MODEL, ...folders.map((folder) => `${SERVER}${folder}/`)].flatMap((folder) => [
      ...readSources(folder),
    ]);
    const cutting = files.filter(([, source]) => CUTS_END.test(source)).map(([file]) => file);
    expect(cutting).toEqual(CUT_SHORT_TEXTS);
  });
});

/** Matches regular expressions that take quadratic time for a long row of the repeated characters. */
const CUTS_END = /\.replace\(\/(?!\^)[^\n]*[+*]\$\//;
/** These sources use such an expression only on short texts. */
const CUT_SHORT_TEXTS = [`${MODEL}distribution/rational.ts`, `${SERVER}search/embed-text.ts`];

/** Each case has exactly one violation. `elsewhere`: in a file in which the rule does not allow this code. */
const BREACHES: [rule: string, file: string, source: string, says: string][] = [
  [
    'an upward import',
    'platform/db/a.ts',
    `import { b } from '../../records/read/b.js';`,
    'not a lower layer',
  ],
  [
    'an upward type import',
    'platform/jobs/a.ts',
    `import type { B } from '../../http/wire/b.js';`,
    'not a lower layer',
  ],
  ['an upward re-export', 'blobs/a.ts', `export * from '../access/b.js';`, 'not a lower layer'],
  [
    'an upward dynamic import',
    'platform/db/a.ts',
    `const b = await import('../../http/wire/b.js');`,
    'not a lower layer',
  ],
  [
    'an import within a layer',
    'management/a.ts',
    `import { b } from '../webhooks/b.js';`,
    'not a lower layer',
  ],
  [
    'an import of records in management',
    'management/a.ts',
    `import { b } from '../records/read/b.js';`,
    'not a lower layer',
  ],
  [
    'an import of integrity in webhooks',
    'webhooks/a.ts',
    `import { b } from '../integrity/b.js';`,
    'not a lower layer',
  ],
  [
    'an import between adapters',
    'transparency-log/a.ts',
    `import { b } from '../blobs/b.js';`,
    'not a lower layer',
  ],
  [
    'an import of jobs in the database',
    'platform/db/a.ts',
    `import { b } from '../jobs/b.js';`,
    'not a lower layer',
  ],
  [
    'an import of management in the shared tables',
    'control/a.ts',
    `import { b } from '../management/b.js';`,
    'not a lower layer',
  ],
  [
    'an import of writing in reading',
    'records/read/a.ts',
    `import { b } from '../write/b.js';`,
    'not a lower layer',
  ],
  [
    'an import of matching in pinning',
    'records/pinning/a.ts',
    `import { b } from '../matching/b.js';`,
    'not a lower layer',
  ],
  [
    'an import of ownership in publishing',
    'records/publishing/a.ts',
    `import { b } from '../ownership/b.js';`,
    'not a lower layer',
  ],
  [
    'an import of a route in the ProvenanceKit routes',
    'http/provenancekit/a.ts',
    `import { b } from '../routes/b.js';`,
    'not a lower layer',
  ],
  [
    'an import of a route in a handler',
    'http/handlers/a.ts',
    `import { b } from '../routes/b.js';`,
    'not a lower layer',
  ],
  [
    'an import of a handler in middleware',
    'http/middleware/a.ts',
    `import { b } from '../handlers/b.js';`,
    'not a lower layer',
  ],
  [
    'an import of middleware in the wire format',
    'http/wire/a.ts',
    `import { b } from '../middleware/b.js';`,
    'not a lower layer',
  ],
  [
    'an import of the model by its path',
    'platform/db/a.ts',
    `import { b } from '../../../../model/src/b.js';`,
    'not a lower layer',
  ],
  [
    'an import of a value from the context',
    'http/wire/a.ts',
    `import { b } from '../../context.js';`,
    'not a lower layer',
  ],
  ['an unknown folder', 'utils/a.ts', `export const a = 1;`, 'in no known folder'],
  ['a file outside of the known folders', 'records/a.ts', `export const a = 1;`, 'in no known folder'],
  ['process.env elsewhere', 'main.ts', `const a = process.env.PORT;`, 'reads process.env'],
  ['process.env in a template', 'main.ts', 'const a = `at $' + '{process.env.PORT}`;', 'reads process.env'],
  ['env of node:process', 'main.ts', `import { env } from 'node:process';`, 'only config.ts'],
  ['SQL elsewhere', 'records/read/a.ts', 'const q = `\n  select id\n  from action`;', 'holds SQL'],
  ['SQL that writes', 'platform/jobs/a.ts', `const q = 'update job set done = true';`, 'holds SQL'],
  ['SQL in capitals', 'access/a.ts', `const q = 'INSERT INTO keys VALUES ($1)';`, 'holds SQL'],
  [
    'SQL with a common table expression',
    'transparency-log/a.ts',
    'const q = `with a as (select 1) select * from a`;',
    'holds SQL',
  ],
  [
    'SQL that defines a table',
    'http/wire/a.ts',
    `const q = "create table if not exists a (id int)";`,
    'holds SQL',
  ],
  ['fastify elsewhere', 'records/read/a.ts', `import { fastify } from 'fastify';`, 'only http/'],
  ['a fastify plugin elsewhere', 'compose.ts', `import cors from '@fastify/cors';`, 'only http/'],
  ['openid-client elsewhere', 'http/wire/a.ts', `import 'openid-client';`, 'only access/openid.ts'],
  ['viem elsewhere', 'transparency-log/a.ts', `import type { Hex } from 'viem/utils';`, 'only anchors/'],
  ['c2pa-wasm elsewhere', 'records/read/a.ts', `await import('@contentauth/c2pa-wasm');`, 'only media/'],
  ['undici elsewhere', 'blobs/a.ts', `import { fetch } from 'undici';`, 'only platform/net/'],
  ['a request elsewhere', 'records/read/a.ts', `await fetch(url);`, 'sends requests'],
  ['fetch as a value', 'compose.ts', `const a = { fetch: globalThis.fetch };`, 'sends requests'],
  ['a WebSocket', 'webhooks/a.ts', `new WebSocket(url);`, 'sends requests'],
  ['node:https elsewhere', 'webhooks/a.ts', `import { request } from 'node:https';`, 'only platform/net/'],
  ['node:http elsewhere', 'records/read/a.ts', `import { request } from 'node:http';`, 'only http/'],
  ['node:net elsewhere', 'http/wire/a.ts', `import { connect } from 'node:net';`, 'only platform/net/'],
  ['S3 elsewhere', 'records/read/a.ts', `await import('@aws-sdk/client-s3');`, 'only blobs/s3/'],
  ['Redis elsewhere', 'http/wire/a.ts', `import { createClient } from '@redis/client';`, 'shared-limiter'],
  [
    'PostgREST elsewhere',
    'platform/db/a.ts',
    `import '@supabase/postgrest-js';`,
    'only platform/db/supabase/',
  ],
  ['the SDK elsewhere', 'http/wire/a.ts', `import { createClient } from '@colophon/sdk';`, 'only cli/'],
  ['MCP elsewhere', 'cli/a.ts', `import '@modelcontextprotocol/sdk/types.js';`, 'only cli/mcp/'],
  ['pg elsewhere', 'platform/jobs/a.ts', `import pg from 'pg';`, 'only platform/db/'],
  ['PGlite elsewhere', 'compose.ts', `import { PGlite } from '@electric-sql/pglite';`, 'only platform/db/'],
  ['a default export', 'platform/db/a.ts', `export default function a() {}`, 'default export'],
  ['a renamed default export', 'platform/db/a.ts', `const a = 1; export { a as default };`, 'default export'],
];

describe('the checker', () => {
  it.each(BREACHES)('finds %s', (_rule, file, source, says) => {
    expect(violations({ [SERVER + file]: source })).toEqual([expect.stringContaining(says)]);
  });

  it.each(['node:crypto', 'fs', 'pino', 'multiformats-extra'])(
    'finds an import of %s in the model',
    (name) => {
      expect(violations({ [`${MODEL}a.ts`]: `import { a } from '${name}';` })).toHaveLength(1);
    },
  );

  it.each(['node:fs', 'zod', 'viem', '../../model/src/a.js'])(
    'finds an import of %s in the SDK, except viem in payments',
    (name) => {
      expect(violations({ [`${SDK}a.ts`]: `import { a } from '${name}';` })).toHaveLength(1);
      expect(violations({ [`${SDK}payments/a.ts`]: `import { a } from '${name}';` })).toHaveLength(
        name === 'viem' ? 0 : 1,
      );
    },
  );

  it.each([
    ['check/a.ts', `import { b } from '../record/b.js';`, 'not a lower layer'],
    ['ui/a.ts', `import { b } from '../shell/b.js';`, 'not a lower layer'],
    ['shell/a.ts', `import { b } from '../check/b.js';`, 'not a lower layer'],
    ['check/a.ts', `import { b } from '../../../sdk/src/b.js';`, 'not a lower layer'],
    ['check/a.ts', `import { z } from 'zod';`, 'not for the page'],
    ['check/a.ts', `await fetch('/v1/entities');`, 'only the SDK'],
  ])('finds forbidden code in %s of the page: %s', (file, source, says) => {
    expect(violations({ [WEB + file]: source })).toEqual([expect.stringContaining(says)]);
  });

  it('finds a cycle and prints it', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `${SERVER}platform/db/${name}.ts`);
    const files = {
      [`${a}`]: `import { b } from './b.js';`,
      [`${b}`]: `export { c } from './c.js';`,
      [`${c}`]: `import type { A } from './a.js';`,
    };
    expect(violations(files)).toEqual([`cycle: ${a} -> ${b} -> ${c} -> ${a}`]);
  });

  it('accepts code that only resembles a violation', () => {
    const files = {
      [`${SERVER}http/routes/a.ts`]: `import type { Context } from '../../context.js';
        import { ServiceError } from '../../errors.js';
        import { record } from '../../records/write/record.js';
        import type { AddressInfo } from 'node:net';
        type Fetch = typeof globalThis.fetch; const fetched = agent.fetch(url);
        // import { x } from '../../main.js'; process.env.PORT
        const text = 'Update the entity and set its name' + 'with a key' + 'create an entity' + "selected from two";
        const says = 'Select one (or more) from the list, with process.env';
        const pattern = /['"\`]export default/;
        const home = { from: 'http', import: true };`,
      [`${SERVER}config.ts`]: `export const port = process.env.PORT;`,
      [`${SERVER}platform/jobs/outbox.sql.ts`]: `export const q = 'select 1';`,
      [`${SERVER}cli.ts`]: `import { doctor } from './cli/doctor.js';`,
      [`${WEB}check/a.ts`]: `import { useClient } from '../shell/project.js';
        import { createClient } from '@colophon/sdk';`,
      [`${WEB}stories.ts`]: `export const load = () => import('./check/a.js');`,
      [`${MODEL}b.ts`]: `import { z } from 'zod'; import { sha256 } from '@noble/hashes/sha2.js';`,
    };
    expect(violations(files)).toEqual([]);
  });

  it('reads imports of eight forms', () => {
    const { imports } = readSource(`import a, { type B } from 'one';
      import type { C } from "two";
      export * as d from 'three';
      import 'four';
      import {
        e, // with a comment from 'nowhere'
      } from 'five';
      export type { F } from 'six';
      const g = import(\`seven\`); const h = \`\${require('eight')}\`;`);
    expect(imports.map(({ specifier }) => specifier).join(' ')).toBe(
      'one two three four five six seven eight',
    );
    expect(imports.filter(({ typeOnly }) => typeOnly).map(({ specifier }) => specifier)).toEqual([
      'two',
      'six',
    ]);
  });
});
