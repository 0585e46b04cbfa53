import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { npm, runQuietly } from '../../../scripts/processes.mjs';
import { ANY_ENGINE, KEY, startService } from './support/service.js';

const EXAMPLE = fileURLToPath(new URL('../../../examples/generated-client/', import.meta.url));
const WRONG = path.join(EXAMPLE, 'dist/wrong.ts');

afterAll(() => rmSync(WRONG, { force: true }));

const inExample = (command: readonly string[], env = process.env) =>
  runQuietly(command, { cwd: EXAMPLE, env });

it('a client that openapi-typescript generates compiles strictly, records and lists', async () => {
  for (const script of ['generate', 'build'])
    expect(await inExample(npm('run', script))).toMatchObject({ code: 0 });
  const service = await startService(ANY_ENGINE);
  const run = (key: string) =>
    inExample([process.execPath, 'dist/record.js'], {
      PATH: process.env.PATH,
      COLOPHON_URL: service.base,
      COLOPHON_API_KEY: key,
    });
  const { code, stdout, stderr } = await run(KEY);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^create by generated:ann: baf\w+\nrecorded action [0-9a-f-]{36}\n$/);
  expect((await run('a-key-that-nobody-has')).stderr).toMatch(/Unauthorized: .* valid key/);
  await service.stop();
});

it('the types of the generated client reject wrong calls', async () => {
  const calls = [
    `client.GET('/v1/actions', { params: { query: { limit: '10' } } })`,
    `client.GET('/v1/bundle/{cid}', { params: { path: { cid: 'x' }, query: { direction: 'up' } } })`,
    `client.POST('/v1/action', { body: { outputCids: ['x'] } })`,
    `client.GET('/v1/nothing')`,
  ];
  writeFileSync(
    WRONG,
    `import createClient from 'openapi-fetch';\nimport type { paths } from '../schema.js';\n` +
      `const client = createClient<paths>();\n${calls.map((call) => `// @ts-expect-error\n${call};\n`).join('')}`,
  );
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023'];
  const built = await inExample(npm('run', '--silent', 'build', '--', ...options, WRONG));
  expect(built).toMatchObject({ code: 0, stdout: '' });
});
