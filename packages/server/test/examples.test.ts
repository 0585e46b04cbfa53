import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PNG } from './support/media.js';
import { ENGINES, MANAGEMENT_KEY, startService } from './support/service.js';

const EXAMPLES = fileURLToPath(new URL('../../../examples/', import.meta.url));

/** Runs an example as its reader does; what it prints. */
async function runExample(
  name: string,
  argv: string[],
  environment: Record<string, string>,
): Promise<string> {
  const child = spawn(process.execPath, [path.join(EXAMPLES, name), ...argv], {
    env: { PATH: process.env.PATH, ...environment },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk;
    });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(printed);
  return printed;
}

describe.each(ENGINES)('on %s', (engine) => {
  it('team.mjs goes from nothing to a recorded file, and again', async () => {
    const service = await startService(engine);
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
