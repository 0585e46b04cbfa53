import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** Clock ticks of /proc in a second: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** As `npm start`, the image and the systemd unit start the service. */
export const SHIPPED_FLAGS = ['--v8-pool-size=1'];

/** A port of 127.0.0.1 that nobody listens on. */
export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Runs a program to its end; its standard output. Rejects, with what it said, when it fails. */
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

/** A process that we started does not outlive us, unless we are killed. */
export function endWithUs(child, signal = 'SIGKILL') {
  const kill = () => child.kill(signal);
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}

/** Sends a process that we started a signal and waits until it has ended. */
export async function end(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** CPU seconds that a process and its children have used, those that ended included. */
export function cpuSeconds(pid) {
  const all = [pid, ...childrenOf(pid)].flatMap(readTimes);
  return all.reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND;
}

/** CPU seconds of a process alone that its own code used; the rest of its time the kernel worked for it. */
export function userSeconds(pid) {
  return readTimes(pid)[0] / TICKS_PER_SECOND;
}

/** CPU seconds of the children of this process that have ended. */
export function endedChildrenSeconds() {
  const [, , endedUser, endedSystem] = readTimes(process.pid);
  return (endedUser + endedSystem) / TICKS_PER_SECOND;
}

/** utime, stime, cutime and cstime of proc(5), in ticks; zeros when the process is gone. */
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

/** Forgets the peak of a process's resident memory: from now on the kernel keeps a new one. */
export function resetPeakMemory(pid) {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Resident memory of a process in bytes: now, and the highest since `resetPeakMemory`. */
export function readMemory(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const bytes = (name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
  return { residentBytes: bytes('VmRSS'), peakBytes: bytes('VmHWM') };
}
