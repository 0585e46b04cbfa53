import { readdirSync, readFileSync } from 'node:fs';

interface Process {
  pid: number;
  parent: number;
  group: number;
  startedTicks: number;
  command: string;
}

/**
 * A left process is in the process group of the run, started after the run, and has a parent outside the group. Empty
 * without /proc.
 */
export function findLeftProcesses(run = process.pid): Process[] {
  const all = new Map(readProcesses().map((one) => [one.pid, one]));
  const own = all.get(run);
  if (own === undefined) return [];
  const isOrphan = ({ parent }: Process) => all.get(parent)?.group !== own.group;
  return [...all.values()].filter(
    (one) => one.group === own.group && one.startedTicks > own.startedTicks && isOrphan(one),
  );
}

/** Ends the left processes, and throws an error with their commands. */
export function assertNoneLeft(): void {
  const left = findLeftProcesses();
  for (const { pid } of left) process.kill(pid, 'SIGKILL');
  if (left.length > 0)
    throw new Error(`Processes outlived the run: ${left.map(({ command }) => command).join(', ')}`);
}

function readProcesses(): Process[] {
  return readNumbers('/proc').flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // proc(5): the command is in brackets and may contain any character.
      const [, command = ''] = /\((.*)\)/s.exec(stat) ?? [];
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const [parent, group, startedTicks] = [1, 2, 19].map((index) => Number(fields[index]));
      if (fields[0] === 'Z') return [];
      return [{ pid, parent: parent ?? 0, group: group ?? 0, startedTicks: startedTicks ?? 0, command }];
    } catch {
      return []; // it ended meanwhile
    }
  });
}

function readNumbers(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number).filter(Number.isInteger);
  } catch {
    return []; // another system
  }
}
