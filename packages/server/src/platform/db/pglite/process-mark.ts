import { readFileSync, readlinkSync } from 'node:fs';
import { z } from 'zod';

const markSchema = z.object({
  pid: z.int().positive(),
  bootId: z.string(),
  namespace: z.string(),
  startTime: z.string(),
});

/** Identifies a process uniquely, also after its pid was reused or the machine restarted. */
export interface ProcessMark {
  pid: number;
  /** Of the running kernel; empty where the system does not tell. */
  bootId: string;
  /** The pid namespace (a container has its own), in which alone the pid means something. */
  namespace: string;
  /** In clock ticks since boot. */
  startTime: string;
}

/** A mark as it was written; undefined for anything else. */
export function parseMark(text: string): ProcessMark | undefined {
  try {
    return markSchema.parse(JSON.parse(text));
  } catch {
    return undefined; // neither parser throws for another reason than the text
  }
}

/** This process. */
export function describeProcess(): ProcessMark {
  return {
    pid: process.pid,
    bootId: readBootId(),
    namespace: readNamespace(),
    startTime: readStat(process.pid)?.startTime ?? '',
  };
}

/** Whether the process of that mark still lives; undefined when it cannot be seen from here. */
export function isSameProcess(mark: ProcessMark): boolean | undefined {
  if (mark.bootId !== readBootId()) return false;
  if (mark.namespace !== readNamespace()) return undefined;
  const stat = readStat(mark.pid);
  if (stat === undefined) return mark.bootId === '' ? signalReaches(mark.pid) : false;
  return stat.state !== 'Z' && stat.state !== 'X' && stat.startTime === mark.startTime;
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

/** proc(5): field 3 is the state, field 22 the start time; the command in field 2 may hold blanks. */
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

/** Where there is no /proc: signal 0 reaches a live process, or is refused for another user's. */
function signalReaches(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
