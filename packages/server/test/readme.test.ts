import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { JPEG, PNG } from './support/media.js';
import { startProcess } from './support/process.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** The fixtures next to the project may be absent. */
const CAMERA_PHOTO = path.join(ROOT, '../shared/fixtures/c2pa/unsigned/P1000827.jpg');

function readBlocks(file: string, language: string): string[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(
    ([, block = '']) => block,
  );
}

const hasCurl = spawnSync('curl', ['--version']).status === 0;

it.skipIf(!hasCurl)(
  'the tutorial records a photo, reads its bundle, records a second step, signs the file and shares a public link',
  async () => {
    const blocks = readBlocks('docs/tutorial.md', 'sh').filter((script) =>
      /curl|COLOPHON_API_KEY=/.test(script),
    );
    expect(blocks).toHaveLength(6);

    const directory = mkdtempSync(path.join(tmpdir(), 'colophon-readme-'));
    writeFileSync(
      path.join(directory, 'photo.jpg'),
      existsSync(CAMERA_PHOTO) ? readFileSync(CAMERA_PHOTO) : JPEG,
    );
    writeFileSync(path.join(directory, 'painting.png'), PNG);
    const service = await startProcess({ API_KEYS: 'my-development-key' });
    const script = blocks.join('\necho\n').replaceAll('http://localhost:3001', service.base);
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-euc', script], {
      cwd: directory,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const [recorded, bundle, made, extracted, shared] = stdout
      .replaceAll('}{', '}\n{')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    expect(recorded).toMatchObject({ mimeType: 'image/jpeg', state: 'claimed' });
    expect(bundle).toMatchObject({ cid: recorded.cid, complete: true, actions: [{ id: recorded.actionId }] });
    expect(made).toMatchObject({ mimeType: 'image/png', entityId: recorded.entityId });
    expect(extracted).toMatchObject({
      manifest: { generator: 'Studio', aiDisclosure: 'ai_generated' },
      validation: { state: 'valid' },
    });
    const publicPage = await fetch(`${service.base}${shared.path}`);
    expect([publicPage.status, publicPage.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    await service.stop();
    rmSync(directory, { recursive: true });
  },
);

it('the commands for a team in the tutorial create a key with write permission', async () => {
  const script = readBlocks('docs/tutorial.md', 'sh').find((text) => text.includes('keys create')) ?? '';
  const service = await startProcess({ MANAGEMENT_API_KEY: 'mk_live_change-me-please' });
  const run = `export COLOPHON_URL=${service.base}\n${script}`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-euc', run], { cwd: ROOT, encoding: 'utf8' });
  expect(stderr.replaceAll(/^npm warn .*\n/gm, '')).toBe('');
  const key = /pk_live_\w+/.exec(stdout)?.[0];
  const wrote = await fetch(`${service.base}/v1/entity`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ role: 'human' }),
  });
  expect(wrote.status).toBe(201);
  await service.stop();
});

it('README has at most 600 words, and ends with five links', () => {
  const text = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
  expect(text.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(600);
  expect(text.slice(text.indexOf('## Read on')).match(/\]\(/g)).toHaveLength(5);
});

it('the second command of README records a photo with its maker', async () => {
  const [start, command = ''] = readBlocks('README.md', 'sh')[0]?.trim().split('\n') ?? [];
  // `first-minute.test.ts` runs this command.
  expect(start).toBe('npm start');
  const directory = mkdtempSync(path.join(tmpdir(), 'colophon-readme-'));
  mkdirSync(path.join(directory, 'node_modules'));
  symlinkSync(path.join(ROOT, 'node_modules/.bin'), path.join(directory, 'node_modules/.bin'));
  writeFileSync(path.join(directory, 'photo.jpg'), JPEG);
  const service = await startProcess({ API_KEYS: 'my-development-key' });
  const env = { ...process.env, COLOPHON_URL: service.base, COLOPHON_API_KEY: 'my-development-key' };
  const argv = ['--norc', '-euc', command];
  const { stdout, stderr } = spawnSync('bash', argv, { cwd: directory, encoding: 'utf8', env });
  expect(stderr.replaceAll(/^npm (warn|notice).*\n/gm, '')).toBe('');
  const cid = /baf\w+/.exec(stdout)?.[0];
  const headers = { authorization: 'Bearer my-development-key' };
  const bundle = await (await fetch(`${service.base}/v1/bundle/${cid}`, { headers })).json();
  expect(bundle.entities).toMatchObject([{ id: 'studio:ann', name: 'Ann Lee' }]);
  await service.stop();
  rmSync(directory, { recursive: true });
});

it("the README's ten lines of TypeScript record a file and verify it, with the packed packages", async () => {
  const [code = ''] = readBlocks('README.md', 'ts');
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(10);
  const directory = mkdtempSync(path.join(tmpdir(), 'colophon-readme-'));
  const run = (command: string, argv: string[], environment: object = {}) => {
    const env = { ...process.env, ...environment };
    const { status, stdout, stderr } = spawnSync(command, argv, { cwd: directory, encoding: 'utf8', env });
    if (status !== 0) throw new Error(`${command} ${argv.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  };
  for (const name of ['model', 'sdk']) {
    const target = path.join(directory, 'node_modules/@colophon', name);
    mkdirSync(target, { recursive: true });
    run('npm', ['pack', path.join(ROOT, 'packages', name), '--ignore-scripts', '--silent']);
    run('tar', ['xzf', `colophon-${name}-0.1.0.tgz`, '-C', target, '--strip-components=1']);
  }
  // In a real installation, npm installs these packages as dependencies of `model` and `sdk`.
  const { dependencies } = JSON.parse(readFileSync(path.join(ROOT, 'packages/model/package.json'), 'utf8'));
  for (const name of [...Object.keys(dependencies), '@types/node', 'undici-types']) {
    const target = path.join(directory, 'node_modules', name);
    mkdirSync(path.dirname(target), { recursive: true });
    symlinkSync(path.join(ROOT, 'node_modules', name), target);
  }
  const service = await startProcess({ API_KEYS: 'my-development-key' });
  writeFileSync(path.join(directory, 'package.json'), '{"type":"module"}');
  writeFileSync(path.join(directory, 'photo.jpg'), JPEG);
  writeFileSync(path.join(directory, 'record.ts'), code.replaceAll('http://localhost:3001', service.base));
  const options = [
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--types',
    'node',
    '--skipLibCheck',
  ];
  run(path.join(ROOT, 'node_modules/.bin/tsc'), [...options, 'record.ts']);
  const printed = run(process.execPath, ['record.js'], { COLOPHON_API_KEY: 'my-development-key' });
  expect(printed).toMatch(/^baf\w+ true\n$/);
  await service.stop();
  rmSync(directory, { recursive: true });
});
