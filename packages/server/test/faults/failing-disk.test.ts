import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startProcess } from '../support/process.js';
import { jsonPost } from '../support/service.js';

/**
 * The disk fails in one call of node:fs while the file `flag` exists, and only in the thread of the embedded database.
 */
function failingDisk(call: 'fsyncSync' | 'closeSync') {
  const directory = mkdtempSync(path.join(tmpdir(), 'colophon-disk-'));
  const flag = path.join(directory, 'fail');
  const preload = path.join(directory, 'preload.cjs');
  writeFileSync(
    preload,
    `const fs = require('node:fs');
     const real = fs.${call};
     fs.${call} = (fd) => {
       if (!require('node:worker_threads').isMainThread && fs.existsSync(${JSON.stringify(flag)}))
         throw Object.assign(new Error('i/o error'), { code: 'EIO', errno: -5 });
       return real(fd);
     };`,
  );
  const environment = { DATA_DIR: path.join(directory, 'data'), NODE_OPTIONS: `--require ${preload}` };
  return { directory, flag, environment };
}

it('a disk that cannot sync: nothing is acknowledged, nothing hangs, and the service recovers', async () => {
  const { directory, flag, environment } = failingDisk('fsyncSync');
  const service = await startProcess(environment);
  const create = (id: string) => service.send('/v1/entity', jsonPost({ id, role: 'human' }));
  expect((await create('before')).status).toBe(201);
  writeFileSync(flag, '');
  expect((await create('during')).status).toBe(503);
  expect((await service.send('/v1/entity/before')).status).toBe(503);
  expect((await service.send('/readyz')).status).toBe(503);
  rmSync(flag);
  while ((await service.send('/readyz')).status !== 200) await sleep(100);
  expect((await create('after')).status).toBe(201);
  expect(await service.stop()).toBe(0);

  const again = await startProcess(environment);
  for (const id of ['before', 'after']) expect((await again.send(`/v1/entity/${id}`)).status).toBe(200);
  expect(await again.stop()).toBe(0);
  rmSync(directory, { recursive: true });
});

it('a disk that cannot close files: the service shuts down on request, and keeps acknowledged content', async () => {
  const { directory, flag, environment } = failingDisk('closeSync');
  const service = await startProcess(environment);
  const created = await service.send('/v1/entity', jsonPost({ id: 'before', role: 'human' }));
  expect(created.status).toBe(201);
  writeFileSync(flag, '');
  expect(await service.stop()).toEqual(expect.any(Number));
  rmSync(flag);
  const again = await startProcess(environment);
  expect((await again.send('/v1/entity/before')).status).toBe(200);
  expect(await again.stop()).toBe(0);
  rmSync(directory, { recursive: true });
});
