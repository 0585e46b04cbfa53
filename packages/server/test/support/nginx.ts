import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from './programs.js';

const COMMAND = findProgram('nginx');

export const HAS_NGINX = COMMAND !== undefined;

export interface Nginx {
  worker(): number;
  /** The worker's open files with bodies. nginx removes their names at once. */
  bodiesOnDisk(): string[];
  directory: string;
  stop(): Promise<void>;
}

/**
 * `server` is the text of a file of `/etc/nginx/conf.d`, and must listen on `port` of 127.0.0.1. In the text,
 * `DIRECTORY` stands for the directory of this nginx.
 */
export async function startNginx(server: string, port: number): Promise<Nginx> {
  const directory = mkdtempSync(path.join(tmpdir(), 'colophon-nginx-'));
  chmodSync(directory, 0o755);
  for (const name of ['client_body', 'proxy', 'rest']) mkdirSync(path.join(directory, name));
  writeFileSync(path.join(directory, 'server.conf'), server.replaceAll('DIRECTORY', directory));
  const main = path.join(directory, 'nginx.conf');
  writeFileSync(main, MAIN);
  const log = path.join(directory, 'error.log');
  const child = spawn(COMMAND ?? 'nginx', ['-p', directory, '-c', main, '-e', log], { stdio: 'ignore' });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async () => {
    if (!hasEnded()) {
      const ended = once(child, 'exit');
      // SIGTERM ends the worker too.
      child.kill('SIGTERM');
      await ended;
    }
    rmSync(directory, { recursive: true, force: true });
  };
  for (let tries = 0; !(await answers(port)); tries++) {
    if (hasEnded() || tries > 200) {
      const errors = readFileSync(log, 'utf8');
      await stop();
      throw new Error(`nginx did not start: ${errors}`);
    }
    await sleep(25);
  }
  const worker = () => Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim());
  return {
    worker,
    bodiesOnDisk: () => openFiles(worker()).filter((file) => /\/(client_body|proxy)\//.test(file)),
    directory,
    stop,
  };
}

/** Without a `load_module` line, nginx loads none of Debian's modules. */
const MAIN = `
daemon off;
worker_processes 1;
pid nginx.pid;
events { worker_connections 512; }
http {
  access_log off;
  client_body_temp_path client_body;
  proxy_temp_path proxy;
  fastcgi_temp_path rest/fastcgi;
  uwsgi_temp_path rest/uwsgi;
  scgi_temp_path rest/scgi;
  include server.conf;
}
`;

function openFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(path.join(folder, name))];
    } catch {
      return []; // it was closed meanwhile
    }
  });
}

async function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' }).then(
    () => true,
    () => false,
  );
}
