import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { JPEG, PNG } from './support/media.js';
import { startProcess } from './support/process.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** A photo from a camera, where the shared fixtures lie beside the project. */
const CAMERA_PHOTO = path.join(ROOT, '../shared/fixtures/c2pa/unsigned/P1000827.jpg');

const hasCurl = spawnSync('curl', ['--version']).status === 0;

it.skipIf(!hasCurl)(
  "the README's curl lines record a photo, read its bundle, record what was made from it, and sign that",
  async () => {
    const blocks = [...readFileSync(path.join(ROOT, 'README.md'), 'utf8').matchAll(/```sh\n(.*?)```/gs)]
      .map(([, script = '']) => script)
      .filter((script) => /curl|COLOPHON_KEY=/.test(script));
    expect(blocks).toHaveLength(5);

    const directory = mkdtempSync(path.join(tmpdir(), 'colophon-readme-'));
    writeFileSync(
      path.join(directory, 'photo.jpg'),
      existsSync(CAMERA_PHOTO) ? readFileSync(CAMERA_PHOTO) : JPEG,
    );
    writeFileSync(path.join(directory, 'painting.png'), PNG);
    const service = await startProcess({ API_KEYS: 'my-development-key' });
    const script = blocks.join('\necho\n').replaceAll('http://localhost:3001', service.base);
    const { stdout, stderr } = spawnSync('bash', ['-euc', script], { cwd: directory, encoding: 'utf8' });
    expect(stderr).toBe('');
    const [recorded, bundle, made, , extracted] = stdout
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
    await service.stop();
    rmSync(directory, { recursive: true });
  },
);
