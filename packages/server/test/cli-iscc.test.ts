import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { audioUnit, decodeIscc, decomposeIscc, encodeIsccUnit, textUnit } from '@colophon/model';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from './support/run-cli.js';
import { clip, FFMPEG, makeVideo } from './support/videos.js';

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-cli-iscc-'));
afterAll(() => rmSync(folder, { recursive: true }));

const TEXT = 'The tide comes in twice a day, and the harbour empties twice a day.';

function write(name: string, bytes: Uint8Array | string): string {
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  return file;
}

async function runJson(argv: string[], environment: Record<string, string> = {}, input?: string) {
  const { status, stdout, stderr } = await runCli(['iscc', ...argv, '--json'], environment, input);
  expect([status, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

/** `level` darkens the picture. */
function picture(level = 1): Promise<Buffer> {
  const edge = 200;
  const rgb = Buffer.from(
    Uint8Array.from({ length: edge * edge * 3 }, (_, at) => {
      const [x, y] = [Math.floor(at / 3) % edge, Math.floor(at / 3 / edge)];
      return level * (128 + 60 * Math.sin(x / 23 + y / 61) + 60 * Math.cos(y / 17));
    }),
  );
  return sharp(rgb, { raw: { width: edge, height: edge, channels: 3 } })
    .png()
    .toBuffer();
}

function differingBits(a: string, b: string): number {
  const [[one], [other]] = [decodeIscc(a), decodeIscc(b)];
  const bitsOf = (byte: number) => byte.toString(2).replaceAll('0', '').length;
  return (one?.digest ?? new Uint8Array()).reduce(
    (sum, byte, at) => sum + bitsOf(byte ^ (other?.digest[at] ?? 0)),
    0,
  );
}

describe('colophon iscc', () => {
  it('prints the ISCC-CODE of a text with its title, and the units of this code', async () => {
    const said = await runJson(['-', '--title', 'Tides'], {}, TEXT);
    expect(said.units).toEqual(decomposeIscc(said.iscc));
    expect(said.units[1]).toBe(encodeIsccUnit(textUnit(TEXT), 64));
    expect(said.units.map((unit: string) => decodeIscc(unit)[0]?.mainType)).toEqual([
      'meta',
      'content',
      'data',
      'instance',
    ]);
    expect(said).toMatchObject({ mediaType: 'text/plain', sizeBytes: TEXT.length });
  });

  it('computes a similar Image-Code for a picture that was scaled, darkened and recompressed', async () => {
    const original = write('a.png', await picture());
    const edited = await sharp(await picture(0.9))
      .resize(90)
      .jpeg({ quality: 50 })
      .toBuffer();
    const other = await sharp(await picture())
      .rotate(90)
      .png()
      .toBuffer();
    const files = [original, write('b.jpg', edited), write('c.png', other)];
    const codes: string[] = [];
    for (const file of files) codes.push((await runJson([file])).units[0]);
    const [first = '', near = '', far = ''] = codes;
    expect(decodeIscc(first)[0]).toMatchObject({ mainType: 'content', medium: 'image' });
    expect(differingBits(first, near)).toBeLessThan(10);
    expect(differingBits(first, far)).toBeGreaterThan(15);
  });

  it('computes the Audio-Code from the fingerprint of the whole sound', async () => {
    const print = Array.from({ length: 50 }, (_, at) => (at * 0x9e3779b1) >>> 0);
    const program = write(
      'fpcalc',
      `#!/bin/sh\n[ "$4" = 0 ] && echo '${JSON.stringify({ fingerprint: print })}'\n`,
    );
    chmodSync(program, 0o755);
    const head = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt '), Buffer.alloc(100)]);
    const { units } = await runJson([write('a.wav', head)], { FPCALC: program });
    expect(units[0]).toBe(encodeIsccUnit(audioUnit(print), 64));
  });

  it.skipIf(FFMPEG === undefined)(
    'computes the Video-Code with ffmpeg, and says without ffmpeg why there is none',
    async () => {
      const file = write('a.mp4', makeVideo([...clip(1), '-t', '2']));
      const { units } = await runJson([file], { FFMPEG: FFMPEG ?? '' });
      expect(decodeIscc(units[0])[0]).toMatchObject({ mainType: 'content', medium: 'video' });
      const without = await runJson([file], { FFMPEG: 'off' });
      expect(without.units).toEqual(units.slice(1));
      expect(without.withoutContentCode).toMatch(/needs the program ffmpeg/);
    },
  );

  it('reads FPCALC and FFMPEG, but neither DATABASE_URL nor RATE_LIMIT_RPM', async () => {
    const file = write('b.bin', Buffer.alloc(100, 7));
    await runJson([file], { DATABASE_URL: 'nonsense', RATE_LIMIT_RPM: 'many' });
    const { status, stderr } = await runCli(['iscc', file], { FPCALC: '/no/such/program' });
    expect(status).not.toBe(0);
    expect(stderr).toContain('FPCALC names /no/such/program');
    const other = await runCli(['iscc', file], { FFMPEG: '/no/such/program' });
    expect(other.stderr).toContain('FFMPEG names /no/such/program');
  });

  it('says why there is no Content-Code', async () => {
    const file = write('a.bin', Buffer.alloc(1000, 0xa5));
    const { status, stdout } = await runCli(['iscc', file], {});
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^ISCC:KUA\w+\n {2}ISCC:GA\w+\n {2}ISCC:IA\w+\nNo Content-Code .*octet-stream\.\n$/,
    );
    expect(await runJson([write('a.png', 'PNG\u0000'), '--title', 'Broken'])).toHaveProperty(
      'withoutContentCode',
    );
  });
});
