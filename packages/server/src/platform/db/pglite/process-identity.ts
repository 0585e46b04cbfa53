import { readFileSync, readlinkSync } from 'node:fs';
import { z } from 'zod';

const identitySchema = z.object({
  pid: z.int().positive(),
  bootId: z.string(),
  namespace: z.string(),
  startTime: z.string(),
});

/** Identity of a process. It stays unique when the system reuses the pid or the machine restarts. */
export interface ProcessIdentity {
  pid: number;
  /** Id of the current boot of the kernel. Empty where the system does not provide it. */
  bootId: string;
  /** The namespace of the pid. Each container has its own pids. */
  namespace: string;
  /** Start time in clock ticks since boot. */
  startTime: string;
}

export function parseIdentity(text: string): ProcessIdentity | undefined {
  try {
    return identitySchema.parse(JSON.parse(text));
  } catch {
    return undefined; // both parsers throw only when the text is not a valid identity
  }
}

export function describeProcess(): ProcessIdentity {
  return {
    pid: process.pid,
    bootId: readBootId(),
    namespace: readNamespace(),
    startTime: readStat(process.pid)?.startTime ?? '',
  };
}

/** Whether the process still runs. Undefined for a process in another pid namespace. */
export function isSameProcess(identity: ProcessIdentity): boolean | undefined {
  if (identity.bootId !== readBootId()) return false;
  if (identity.namespace !== readNamespace()) return undefined;
  const stat = readStat(identity.pid);
  if (stat === undefined) return identity.bootId === '' ? signalReaches(identity.pid) : false;
  return stat.state !== 'Z' && stat.state !== 'X' && stat.startTime === identity.startTime;
}

function readBootId(): string {
  return readOptional('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
}

function readNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** proc(5): field 3 is the state, field 22 the start time. The command in field 2 may contain spaces. */
function readStat(pid: number): { state: string; startTime: string } | undefined {
  const text = readOptional(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', startTime: fields[19] ?? '' };
}

function readOptional(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Whether a process exists, on systems without /proc. EPERM means that it exists and belongs to another user. */
function signalReaches(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
