import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** Clock ticks of /proc in a second: 100 on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

/** The same flags as in `npm start`, the image and the systemd unit. */
export const SHIPPED_FLAGS = ['--v8-pool-size=1'];

export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Resolves to the standard output. Rejects with the error output when the program fails. */
export async function collect([command, ...args], options = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${output}${errors}`);
  return output;
}

/** Ends a child process when this process exits. If SIGKILL ends this process, the child continues. */
export function endWithUs(child, signal = 'SIGKILL') {
  const kill = () => child.kill(signal);
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}

export async function end(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Includes running and ended children. */
export function cpuSeconds(pid) {
  const all = [pid, ...childrenOf(pid)].flatMap(readTimes);
  return all.reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND;
}

/** Excludes the time in the kernel. */
export function userSeconds(pid) {
  return readTimes(pid)[0] / TICKS_PER_SECOND;
}

export function endedChildrenSeconds() {
  const [, , endedUser, endedSystem] = readTimes(process.pid);
  return (endedUser + endedSystem) / TICKS_PER_SECOND;
}

/** Returns utime, stime, cutime and cstime of proc(5) in ticks. Returns zeros when the process has ended. */
function readTimes(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).map(Number);
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return [0, 0, 0, 0];
    throw error;
  }
}

function childrenOf(pid) {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' '),
  );
  return children.filter(Boolean).map(Number);
}

export function resetPeakMemory(pid) {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Returns the resident memory in bytes: now, and its peak since `resetPeakMemory`. */
export function readMemory(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const bytes = (name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
  return { residentBytes: bytes('VmRSS'), peakBytes: bytes('VmHWM') };
}
