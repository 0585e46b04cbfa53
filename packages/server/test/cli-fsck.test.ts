import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProcess } from './support/process.js';
import { runCli } from './support/run-cli.js';

const fsck = (argv: string[], environment: Record<string, string>) => runCli(['fsck', ...argv], environment);

describe('colophon fsck', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'colophon-fsck-'));
  const environment = { DATA_DIR: directory };
  afterAll(() => rmSync(directory, { recursive: true }));
  beforeAll(async () => {
    const service = await startProcess(environment);
    for (const content of ['one content', 'another content']) await service.upload(content);
    expect((await fsck([], environment)).status).toBe(1);
    await service.stop();
  });

  it('exits with 0 if all content is as recorded', async () => {
    const { status, stdout, stderr } = await fsck([], environment);
    expect([status, stdout, stderr]).toEqual([0, 'All is as recorded: 2 contents, 26 bytes.\n', '']);
    const json = await fsck(['--json', '--quick'], environment);
    expect(JSON.parse(json.stdout)).toEqual({ contents: 2, sizeBytes: 26, findings: [] });
  });

  it('exits with 3 and prints the findings if content is not as recorded', async () => {
    const files = readdirSync(path.join(directory, 'blobs'), { recursive: true, encoding: 'utf8' });
    const [file = ''] = files.filter((name) => !name.startsWith('documents') && /[0-9a-f]{64}$/.test(name));
    rmSync(path.join(directory, 'blobs', file));
    const { status, stdout, stderr } = await fsck([], environment);
    expect(status).toBe(3);
    expect(stdout).toMatch(/^PROBLEM .*\nmissing /);
    expect(stderr).toContain('1 content differs from the recorded data.');
    const json = await fsck(['--json', '--repair'], environment);
    expect(json.status).toBe(3);
    expect(JSON.parse(json.stdout).findings).toMatchObject([{ problem: 'missing' }]);
  });

  it.each([
    [[], {}, 'DATA_DIR'],
    [['--drop-altered'], environment, '--repair'],
    [['--nosuch'], environment, '--nosuch'],
  ])('exits with 2 for %j', async (argv, given, named) => {
    const { status, stderr } = await fsck(argv, given);
    expect([status, stderr]).toEqual([2, expect.stringContaining(named)]);
  });
});
