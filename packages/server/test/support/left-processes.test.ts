import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { findLeftProcesses } from './left-processes.js';

it.skipIf(!existsSync('/proc/self/stat'))('a process whose parent has ended is found', async () => {
  const shell = spawn('/bin/sh', ['-c', 'sleep 600 >/dev/null 2>&1 & echo $!'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await once(shell.stdout, 'data');
  if (shell.exitCode === null) await once(shell, 'exit');
  const pid = Number(printed);
  try {
    // The process is a shell until it runs its program.
    await vi.waitFor(
      () => {
        const found = findLeftProcesses().filter((one) => one.pid === pid);
        expect(found).toMatchObject([{ command: 'sleep' }]);
      },
      { timeout: 10_000 },
    );
  } finally {
    process.kill(pid, 'SIGKILL');
  }
});
