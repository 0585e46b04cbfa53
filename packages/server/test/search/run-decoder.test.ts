import { describe, expect, it } from 'vitest';
import { inNamelessFile } from '../../src/search/nameless-file.js';
import { type RunTime, runDecoder } from '../../src/search/run-decoder.js';
import { runOnFile } from '../../src/search/run-on-file.js';

const MEMORY = { dataBytes: 2 ** 27, addressBytes: 2 ** 29, fileBytes: 0 };
/** No run of these tests may reach this limit. */
const NEVER_MS = 3_600_000;

/** A search thread runs fpcalc like this. */
async function runInThread(script: string, time: RunTime) {
  const program = { name: 'program', command: ['/bin/sh', '-c', script] };
  const { status, output } = inNamelessFile('sound', new Uint8Array(1), (file) =>
    runOnFile(program, file, { ...MEMORY, ...time, maxBytes: 100 }),
  );
  return { output: output.toString(), hasEnded: status === 0 };
}

/** The main thread runs FFmpeg like this. */
async function runInProcess(script: string, time: RunTime) {
  const { signal } = new AbortController();
  const { output, hasEnded } = await runDecoder(['/bin/sh', '-c', script], {
    signal,
    maxBytes: 100,
    ...time,
  });
  return { output: Buffer.from(output).toString(), hasEnded };
}

describe.each([
  ['a search thread', runInThread],
  ['the main thread', runInProcess],
])('a program of %s', (_name, run) => {
  it('ends at its limit of processor time, long before its time limit', async () => {
    const found = await run('echo begun; while :; do :; done', { cpuSeconds: 1, limitMs: NEVER_MS });
    expect(found).toEqual({ output: 'begun\n', hasEnded: false });
  });

  it('may wait longer for a processor than its limit of processor time', async () => {
    const found = await run('sleep 2; echo done', { cpuSeconds: 1, limitMs: NEVER_MS });
    expect(found).toEqual({ output: 'done\n', hasEnded: true });
  });

  it('ends at its time limit when it waits for input and uses no processor time', async () => {
    const found = await run('exec tail -f /dev/null', { cpuSeconds: 30, limitMs: 500 });
    expect(found).toEqual({ output: '', hasEnded: false });
  });

  it.each([
    [30, undefined],
    [7, 7],
  ])('has %i s of processor time for the setting %s', async (seconds, cpuSeconds) => {
    const time = { limitMs: NEVER_MS, ...(cpuSeconds !== undefined && { cpuSeconds }) };
    expect(await run('ulimit -t', time)).toEqual({ output: `${seconds}\n`, hasEnded: true });
  });
});
