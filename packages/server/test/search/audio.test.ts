import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CHANGES, makeSound, toWav } from '../../../../bench/support/sounds.mjs';
import { readConfig } from '../../src/config.js';
import { printAgreement, toPrintBytes } from '../../src/search/audio/describe-print.js';
import { readPrintIfPossible } from '../../src/search/audio/read-print.js';
import type { Described } from '../../src/search/descriptor.js';
import { dot } from '../../src/search/vector.js';
import { describeAudio } from '../../src/search/worker/describe-audio.js';

const { fpcalc } = readConfig({ PATH: process.env.PATH }).search;
const folder = mkdtempSync(path.join(tmpdir(), 'colophon-fpcalc-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The script replaces fpcalc. */
function program(script: string): string {
  const file = path.join(folder, `${readdirSync(folder).length}`);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** Returns the lines of the script's output. Each number of the fingerprint is one byte of this output. */
function outputOf(script: string, format = 'wav'): string[] {
  const numbers = `od -An -v -tu1 | tr -s ' \\n' ',' | sed 's/^,//; s/,$//'`;
  const print = readPrintIfPossible(
    program(`printf '{"fingerprint": ['; (${script}) | ${numbers}; printf ']}'`),
    { bytes: WAV.bytes, format, maxSeconds: 120, limitMs: 10_000 },
  );
  return Buffer.from(print ?? [])
    .toString()
    .trim()
    .split('\n');
}

function describeWav(samples: Float32Array): Described {
  const found = describeAudio(fpcalc, { bytes: toWav(samples), mediaType: 'audio/wav' });
  if (found.kind === 'nothing') throw new Error(found.reason);
  return found.described;
}

const values = Array.from({ length: 100 }, (_, index) => Math.imul(index >> 1, 0x9e3779b1) >>> 0);
const PRINT = JSON.stringify({ duration: 20, fingerprint: values });
const WAV = { bytes: Buffer.alloc(100), mediaType: 'audio/wav' };

describe('the description of a sound', () => {
  it.each([0, 3])('is created from the output of fpcalc that exits with %i', (code) => {
    const found = describeAudio(program(`echo '${PRINT}'; exit ${code}`), WAV);
    if (found.kind === 'nothing') throw new Error(found.reason);
    expect(found.described.method).toBe('audio-512/1');
    expect(dot(found.described.vector, found.described.vector)).toBeCloseTo(1, 4);
    expect(found.described.evidence).toEqual(toPrintBytes(Uint32Array.from(values)));
  });

  it('fpcalc gets a format, so that it reads no playlist, and gets no environment', () => {
    const [flags, ...environment] = outputOf('echo "$@"; /usr/bin/env', 'mov');
    expect(flags).toMatch(/^-raw -json -length 120 -format mov \/dev\/fd\/3$/);
    expect(environment.filter((line) => !/^(PWD|SHLVL|_|OLDPWD)=/.test(line))).toEqual([]);
  });

  it('fpcalc gets 128 MiB of data, 512 MiB of addresses, the priority of its thread, and writes no file', () => {
    const limits = outputOf('ulimit -d; ulimit -v; ulimit -f; nice');
    expect(limits).toEqual(['131072', '524288', '0', String(getPriority())]);
  });

  it('fpcalc may use 8 s of processor time', () => {
    const found = describeAudio(program(`[ "$(ulimit -t)" = 8 ] && echo '${PRINT}'`), WAV);
    expect(found.kind).toBe('described');
  });

  it.each([
    ['exits with 2', 'exit 2'],
    ['prints text that is not JSON', 'echo nonsense'],
    ['prints no fingerprint', `echo '{}'`],
  ])('is absent if fpcalc %s', (_name, script) => {
    expect(describeAudio(program(script), WAV)).toEqual({
      kind: 'nothing',
      reason: 'The sound cannot be decoded: it is damaged or cut short.',
    });
  });

  it('fails if fpcalc cannot start, but readPrintIfPossible then returns undefined', () => {
    const absent = path.join(folder, 'absent');
    expect(() => describeAudio(absent, WAV)).toThrow('fpcalc did not run (exit code 127)');
    const sound = { bytes: WAV.bytes, format: 'wav', maxSeconds: 0, limitMs: 10_000 };
    expect(readPrintIfPossible(absent, sound)).toBeUndefined();
  });

  it.each([
    ['silence', Array(100).fill(627964279)],
    ['a sound of some seconds', values.slice(0, 20)],
  ])('is absent for %s', (_name, fingerprint) => {
    const found = describeAudio(program(`echo '${JSON.stringify({ fingerprint })}'`), WAV);
    expect(found).toEqual({
      kind: 'nothing',
      reason: 'It has too little sound for a comparison.',
      hasTooLittle: true,
    });
  });

  it('fpcalc gets a file without a name, so that nothing stays on the disk', () => {
    const [file = '', mode, sizeBytes] = outputOf('readlink /dev/fd/3; stat -L -c %a /dev/fd/3; wc -c <&3');
    expect([path.basename(file), mode, sizeBytes]).toEqual(['sound (deleted)', '600', '100']);
    expect(existsSync(path.dirname(file))).toBe(false);
  });
});

describe('the agreement of fingerprints', () => {
  it('is 1 if one fingerprint is a part of the other, below 0.65 if they are unrelated, and 0 if one is empty', () => {
    const whole = toPrintBytes(Uint32Array.from(values));
    expect(printAgreement(toPrintBytes(Uint32Array.from(values.slice(20, 80))), whole)).toBe(1);
    const others = values.map((value) => Math.imul(value ^ 0x5bd1e995, 0x85ebca6b) >>> 0);
    expect(printAgreement(toPrintBytes(Uint32Array.from(others)), whole)).toBeLessThan(0.65);
    expect(printAgreement(new Uint8Array(), whole)).toBe(0);
  });

  it.skipIf(fpcalc === undefined).each(Object.entries(CHANGES))('stays high after: %s', (_name, change) => {
    const sound = makeSound(1);
    const [original, changed] = [describeWav(sound), describeWav(change(sound))];
    expect(printAgreement(changed.evidence, original.evidence)).toBeGreaterThan(0.85);
    expect(dot(changed.vector, original.vector)).toBeGreaterThan(0.4);
    expect(printAgreement(describeWav(makeSound(2)).evidence, original.evidence)).toBeLessThan(0.72);
  });
});
