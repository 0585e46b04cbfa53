import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { PNG } from './support/media.js';
import { HAS_REAL_FILES, realFile } from './support/media-files.js';
import { allowDetection } from './support/media-form.js';
import { ANY_ENGINE, KEY, MANAGEMENT_KEY, startService } from './support/service.js';
import { FFMPEG } from './support/videos.js';

const EXAMPLES = fileURLToPath(new URL('../../../examples/', import.meta.url));

async function runExample(
  name: string,
  argv: string[],
  environment: Record<string, string>,
  cwd = tmpdir(),
): Promise<string> {
  const program = name.endsWith('.py') ? 'python3' : process.execPath;
  const child = spawn(program, [path.join(EXAMPLES, name), ...argv], {
    cwd,
    env: { PATH: process.env.PATH, ...environment },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk;
    });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${printed}exit code ${code}`);
  return printed;
}

describe('an example', () => {
  it('team.mjs sets up a team and records a first file, and succeeds a second time', async () => {
    const service = await startService(ANY_ENGINE);
    const directory = mkdtempSync(path.join(tmpdir(), 'colophon-example-'));
    const file = path.join(directory, 'photo.png');
    writeFileSync(file, PNG);
    const environment = { COLOPHON_URL: service.base, MANAGEMENT_API_KEY: MANAGEMENT_KEY };
    for (let count = 0; count < 2; count++) {
      const printed = await runExample('team.mjs', [file], environment);
      expect(printed).toMatch(
        /^project [0-9a-f-]{36} of daily-planet-\w+\nrecorded baf\w+\n.*create by Lois\n$/,
      );
    }
    await service.stop();
    rmSync(directory, { recursive: true });
  });
});

const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;

it.skipIf(!HAS_PYTHON)(
  'record_file.py records a file with only the standard library of Python, and succeeds a second time',
  async () => {
    const service = await startService(ANY_ENGINE);
    const directory = mkdtempSync(path.join(tmpdir(), 'colophon-example-'));
    const file = path.join(directory, 'photo.png');
    writeFileSync(file, PNG);
    const environment = { COLOPHON_URL: service.base, COLOPHON_API_KEY: KEY };
    const history = / baf\w+\n[\d-]+T[\d:.]+Z create by Lois\n$/;
    const first = await runExample('record_file.py', [file, 'Lois'], environment);
    expect(first).toMatch(/^recorded /);
    const again = await runExample('record_file.py', [file, 'Lois'], environment);
    expect(again).toMatch(/^was recorded before: /);
    for (const printed of [first, again]) expect(printed).toMatch(history);
    const wrong = { ...environment, COLOPHON_API_KEY: 'a-key-that-nobody-has' };
    await expect(runExample('record_file.py', [file], wrong)).rejects.toThrow(
      /^401 Unauthorized: .* valid key/,
    );
    await service.stop();
    rmSync(directory, { recursive: true });
  },
);

it('two-step-history.mjs reads both steps back with only the file', async () => {
  const service = await startService(ANY_ENGINE);
  const directory = mkdtempSync(path.join(tmpdir(), 'colophon-example-'));
  const photo = path.join(directory, 'photo.jpg');
  writeFileSync(photo, await cameraPhoto());
  const environment = { COLOPHON_URL: service.base, COLOPHON_API_KEY: KEY };
  const printed = await runExample('two-step-history.mjs', [photo], environment, directory);
  expect(printed.split('\n')).toEqual([
    expect.stringContaining('Unchanged since it was signed'),
    'AI: Edited with AI',
    '  - Created (AI-edited)',
    '  - Colours adjusted',
    '  - Opened: “Beach, retouched”',
    '  - Cropped (AI-edited)',
    'now:    Beach, cropped, by Cropper/1.1',
    'before: Beach, retouched, by Retoucher/2.0',
    '',
  ]);
  await service.stop();
  rmSync(directory, { recursive: true });
});

function cameraPhoto(): Promise<Buffer> {
  if (HAS_REAL_FILES) return readFile(realFile('unsigned/P1000827.jpg'));
  return sharp({ create: { width: 640, height: 480, channels: 3, background: '#68a' } })
    .jpeg()
    .toBuffer();
}

it('anchored-receipt.mjs verifies a receipt with the file, the key and the chain, without the service', async () => {
  const printed = await runExample('anchored-receipt.mjs', [], {});
  expect(printed).toMatch(
    /^registry at 0x\w{40}\nrecorded baf\w+, confirmed in block \d+\nthe service is shut down\n/,
  );
  expect(printed).toMatch(/verifies\.\nproven +this action, exactly as in the file/);
  expect(printed).toMatch(/on the chain since 20\S+Z, block \d+, \d+ confirmations/);
  expect(printed).toMatch(/changed: exit code 3, The \w+/);
});

it('find-again.mjs finds the record of a cropped picture, with its manifest and its history', async () => {
  const service = await startService(ANY_ENGINE);
  const environment = { COLOPHON_URL: service.base, COLOPHON_API_KEY: KEY };
  const printed = await runExample('find-again.mjs', [], environment);
  expect(printed).toMatch(/it is found: (auto|review) /);
  expect(printed).toContain('its manifest says: Hills');
  expect(printed).toMatch(/its history: (create, )?transform\n/);
  expect(printed).toMatch(/its manifest store: \d{4,} bytes of application\/c2pa/);
  await service.stop();
});

describe('mark-everything.mjs', () => {
  const NAME = 'mark-everything.mjs';
  const withDetector = { environment: { PUBLIC_DETECTOR: 'true' } };
  const named = (file: string, maker: string) => new RegExp(`^${file} .* \\(\\w+\\) +${maker} +yes$`, 'm');

  it.skipIf(FFMPEG === undefined)('sets up a project, and names the maker of each damaged file', async () => {
    // With PATH, the service finds fpcalc and ffmpeg.
    const decoders = { ...withDetector.environment, PATH: process.env.PATH ?? '' };
    const service = await startService(ANY_ENGINE, { environment: decoders });
    const environment = { COLOPHON_URL: service.base, MANAGEMENT_API_KEY: MANAGEMENT_KEY };
    const printed = await runExample(NAME, [], environment);
    expect(printed).toMatch(named('page.html', 'Hugo Host'));
    expect(printed).toMatch(named('meadow.jpg', 'Pia Painter'));
    expect(printed).toMatch(named('letter.pdf', 'Ida Printer'));
    expect(printed).toMatch(named('song.wav', 'Cora Composer'));
    expect(printed).toMatch(named('clip.mp4', 'Finn Filmer'));
    expect(printed.match(/^story.txt .* Wanda Writer +yes$/gm)).toHaveLength(2);
    expect(printed).not.toMatch(/ no$/m);
    await service.stop();
  });

  it('reports without ffmpeg that it skips the song and the clip, and works with the key of a project', async () => {
    const service = await startService(ANY_ENGINE, withDetector);
    const environment = { COLOPHON_URL: service.base, COLOPHON_API_KEY: KEY, PATH: '' };
    await expect(runExample(NAME, [], environment)).rejects.toThrow(
      /needs the setting `publicDetector`[\s\S]*exit code 2$/,
    );
    await allowDetection(service);
    const printed = await runExample(NAME, [], environment);
    expect(printed.match(/ yes$/gm)).toHaveLength(5);
    expect(printed).toContain('Skipped song.wav and clip.mp4: this machine has no ffmpeg');
    await service.stop();
  });

  it.skipIf(FFMPEG === undefined)('exits with 1 when the detector does not name a maker', async () => {
    const service = await startService(ANY_ENGINE, withDetector);
    await allowDetection(service);
    const running = runExample(NAME, [], { COLOPHON_URL: service.base, COLOPHON_API_KEY: KEY });
    await expect(running).rejects.toThrow(/^clip.mp4 .* nothing +- +no\n[\s\S]*exit code 1$/m);
    await service.stop();
  });

  it('states which setting is missing', async () => {
    await expect(runExample(NAME, [], {})).rejects.toThrow(/^Set COLOPHON_API_KEY to .*\nexit code 2$/);
    const service = await startService(ANY_ENGINE);
    const environment = { COLOPHON_URL: service.base, COLOPHON_API_KEY: KEY };
    await expect(runExample(NAME, [], environment)).rejects.toThrow(
      /has no public detector.*PUBLIC_DETECTOR=true.\nexit code 2$/,
    );
    await service.stop();
  });
});
