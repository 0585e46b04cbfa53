import { readdirSync, readFileSync } from 'node:fs';

/** Returns the CPU seconds of each thread of a process by thread id (proc(5): schedstat, in nanoseconds). */
export function readThreads(pid) {
  const ids = readdirSync(`/proc/${pid}/task`).map(Number);
  return new Map(ids.map((id) => [id, readSeconds(`/proc/${pid}/task/${id}/schedstat`)]));
}

/** After the benchmark has filled a store, this is the thread of the embedded database. */
export function busiestThread(pid) {
  const others = [...readThreads(pid)].filter(([id]) => id !== pid);
  return others.sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** The database is a server (`databasePid`) or a thread of the service (`databaseThread`). */
export function readCpu({ pid, databasePid, databaseThread }) {
  const threads = readThreads(pid);
  const all = [...threads.values()].reduce((sum, seconds) => sum + seconds, 0);
  const main = threads.get(pid) ?? 0;
  const embedded = threads.get(databaseThread) ?? 0;
  const server = databasePid === undefined ? 0 : serverSeconds(databasePid);
  return { main, threads: all - main - embedded, database: embedded + server };
}

export function serverSeconds(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  const processes = [pid, ...children.filter(Boolean).map(Number)];
  return processes.reduce((sum, id) => sum + readSeconds(`/proc/${id}/schedstat`), 0);
}

function readSeconds(file) {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e9;
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return 0;
    throw error;
  }
}
