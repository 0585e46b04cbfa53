import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { JPEG } from '../../server/test/support/media.js';
import { KEY, type Service, startService } from '../../server/test/support/service.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

let service: Service;
let folder: string;
beforeAll(async () => {
  service = await startService('PGlite in memory');
  folder = mkdtempSync(path.join(ROOT, 'node_modules/.readme-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.stop();
});

it("the README's ten lines of TypeScript record a file and verify it", async () => {
  const [, code = ''] = /```ts\n(.*?)```/s.exec(readFileSync(path.join(ROOT, 'README.md'), 'utf8')) ?? [];
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(10);
  const here = code.replace('http://localhost:3001', service.base).replace('my-development-key', KEY);
  writeFileSync(path.join(folder, 'photo.jpg'), JPEG);
  writeFileSync(path.join(folder, 'record.mjs'), here);
  const { stdout } = await promisify(execFile)(process.execPath, ['record.mjs'], { cwd: folder });
  expect(stdout).toMatch(/^bafk\w+ true\n$/);
});
