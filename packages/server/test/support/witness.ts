import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface WitnessProcess {
  key: string;
  url: string;
  add(body: string): Promise<Response>;
  kill9(): Promise<void>;
  stop(): Promise<void>;
}

/** Rejects with the output of a command that ends early. */
export async function startWitness(
  directory: string,
  logs: readonly string[],
  more: readonly string[] = [],
): Promise<WitnessProcess> {
  const options = ['--dir', directory, '--port', '0', ...logs.flatMap((log) => ['--log', log]), ...more];
  const child = spawn(process.execPath, [CLI, 'witness', ...options], {
    env: { PATH: process.env.PATH },
    // This directory has no .env file.
    cwd: path.dirname(CLI),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let printed = '';
  const listening = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        printed += chunk;
        if (/^address +\S+\n/m.test(printed)) resolve();
      });
  });
  await Promise.race([listening, exited]);
  const [, key = ''] = /^key +(\S+)$/m.exec(printed) ?? [];
  const [, url = ''] = /^address +(\S+)$/m.exec(printed) ?? [];
  if (key === '' || url === '') throw new Error(`The witness did not start: ${printed}`);
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exited;
  };
  return {
    key,
    url,
    add: (body) => fetch(`${url}/add-checkpoint`, { method: 'POST', body }),
    kill9: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}
