import { v7 as uuidv7 } from 'uuid';
import type { LogLine, UsageBatch, UsageCount } from './usage.sql.js';

export interface Work {
  resourceType?: string | undefined;
  bytesStored: number;
  actionsRecorded: number;
}

export interface CountedCall extends Work {
  projectId: string;
  keyId: string;
  /** Method and route template, for example `GET /v1/bundle/:cid`. */
  endpoint: string;
  status: number;
  at: Date;
}

/** Calls that are counted but not written yet. */
export interface Tally {
  count(call: CountedCall): void;
  addWork(call: CountedCall): void;
  readonly entries: number;
  calls(): number;
  /** Removes and returns all counts and log lines, in parts of a bounded size. */
  take(): Pick<UsageBatch, 'counts' | 'lines'>[];
}

const DAY_MS = 86_400_000;
/** Maximum number of counters in a part, whose JSON then has about one megabyte. */
const MAX_PART_COUNTERS = 5_000;
const MAX_COUNTERS = 20_000;
const MAX_PROJECT_LINES = 100;
const MAX_LINES = 5_000;

/** At `MAX_COUNTERS`, calls of further keys count under the key `other` of their project, day and status. */
export function createTally(): Tally {
  let counters = new Map<string, UsageCount>();
  const lines = createLines();

  function counterOf({ projectId, keyId, status, at }: CountedCall): UsageCount {
    const day = Math.floor(at.getTime() / DAY_MS);
    const name = `${projectId} ${day} ${status} ${keyId}`;
    const known = counters.get(name);
    if (known !== undefined) return known;
    if (counters.size < MAX_COUNTERS) return addCounter(name, { projectId, keyId, day, status });
    const rest = `${projectId} ${day} ${status} other`;
    return counters.get(rest) ?? addCounter(rest, { projectId, keyId: 'other', day, status });
  }

  function addCounter(name: string, key: { projectId: string; keyId: string; day: number; status: number }) {
    const day = new Date(key.day * DAY_MS).toISOString().slice(0, 10);
    const fresh = { ...key, day, calls: 0, bytesStored: 0, actionsRecorded: 0 };
    counters.set(name, fresh);
    return fresh;
  }

  function addWork(call: CountedCall): UsageCount {
    const counter = counterOf(call);
    counter.bytesStored += call.bytesStored;
    counter.actionsRecorded += call.actionsRecorded;
    return counter;
  }

  return {
    get entries() {
      return counters.size + lines.size;
    },
    calls: () => [...counters.values()].reduce((sum, counter) => sum + counter.calls, 0),
    addWork,
    count(call) {
      addWork(call).calls += 1;
      lines.add(call);
    },
    take() {
      const counts = [...counters.values()];
      counters = new Map();
      const taken = lines.take();
      return Array.from({ length: Math.ceil(counts.length / MAX_PART_COUNTERS) }, (_, part) => ({
        counts: counts.slice(part * MAX_PART_COUNTERS, (part + 1) * MAX_PART_COUNTERS),
        lines: part === 0 ? taken : [],
      }));
    },
  };
}

function createLines() {
  let byProject = new Map<string, CountedCall[]>();
  let size = 0;
  let sequence = 0;

  function dropOldest(projectId: string, calls: CountedCall[]): void {
    calls.shift();
    size -= 1;
    if (calls.length === 0) byProject.delete(projectId);
  }

  function makeRoom(projectId: string): void {
    const own = byProject.get(projectId);
    if (own?.length === MAX_PROJECT_LINES) dropOldest(projectId, own);
    if (size < MAX_LINES) return;
    const [waitsLongest] = byProject;
    if (waitsLongest !== undefined) dropOldest(...waitsLongest);
  }

  return {
    get size() {
      return size;
    },
    add(call: CountedCall): void {
      makeRoom(call.projectId);
      const own = byProject.get(call.projectId);
      if (own === undefined) byProject.set(call.projectId, [call]);
      else own.push(call);
      size += 1;
    },
    take(): LogLine[] {
      const taken = [...byProject.values()].flat();
      byProject = new Map();
      size = 0;
      return taken.map((call) => toLine(call, sequence++));
    },
  };
}

/** `sequence` sets the order of calls in the same millisecond. */
function toLine(
  { projectId, endpoint, resourceType, status, keyId, at }: CountedCall,
  sequence: number,
): LogLine {
  const id = uuidv7({ msecs: at.getTime(), seq: sequence });
  return { projectId, id, endpoint, resourceType, statusCode: status, keyId, at };
}
