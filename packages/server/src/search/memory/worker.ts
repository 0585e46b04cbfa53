import { parentPort, workerData } from 'node:worker_threads';
import { findNear } from './find-near.js';
import { createIndexStore } from './index-store.js';
import type { FindTask, FromIndex, IndexWorkerData, Near, StoredVector, ToIndex } from './protocol.js';
import type { VectorTable } from './vector-table.js';

const port = parentPort;
if (port === null) throw new Error('Run this file as a worker thread');

const TURN_MS = 3;

interface IndexSearch {
  id: number;
  projectId: string;
  table: VectorTable;
  steps: Generator<string[] | undefined, Near[], undefined>;
}

/** The first project has the next turn. */
const ready = new Map<string, IndexSearch[]>();
const paused = new Map<number, IndexSearch>();
let isScheduled = false;

const post = (message: FromIndex) => port.postMessage(message);
const store = createIndexStore((workerData as IndexWorkerData).maxBytes, (projectId) =>
  post({ kind: 'evicted', projectId }),
);

function begin(id: number, task: FindTask): void {
  const { projectId, method, turned } = task;
  const found = store.find(projectId, method, turned[0]?.length ?? 0);
  if (found === undefined) post({ kind: 'found', id });
  else if (found.table === undefined) post({ kind: 'found', id, near: [] });
  else enqueue({ id, projectId, table: found.table, steps: findNear(found.table, task) });
}

function enqueue(search: IndexSearch): void {
  const others = ready.get(search.projectId);
  if (others === undefined) ready.set(search.projectId, [search]);
  else others.push(search);
  schedule();
}

function schedule(): void {
  if (isScheduled || ready.size === 0) return;
  isScheduled = true;
  setImmediate(() => {
    isScheduled = false;
    runNextTurn();
    schedule();
  });
}

function runNextTurn(): void {
  const [next] = ready;
  if (next === undefined) return;
  const [projectId, searches] = next;
  ready.delete(projectId);
  const search = searches.shift();
  if (search !== undefined && !runTurn(search)) searches.unshift(search);
  if (searches.length > 0) ready.set(projectId, searches);
}

/** Returns true if the search is finished or waits for vectors. */
function runTurn(search: IndexSearch): boolean {
  const { id, steps } = search;
  const startedMs = performance.now();
  for (;;) {
    const { value, done } = steps.next();
    if (done === true) {
      post({ kind: 'found', id, near: value });
      return true;
    }
    if (value !== undefined) {
      paused.set(id, search);
      post({ kind: 'missing', id, cids: value });
      return true;
    }
    if (performance.now() - startedMs > TURN_MS) return false;
  }
}

function resume(id: number, rows: readonly StoredVector[]): void {
  const search = paused.get(id);
  if (search === undefined) return;
  paused.delete(id);
  store.keepVectors(search.projectId, search.table, rows);
  // Continues at once, because another search could evict these vectors.
  if (!runTurn(search)) enqueue(search);
}

function leave(id: number): void {
  paused.delete(id);
  for (const [projectId, searches] of ready) {
    const left = searches.filter((search) => search.id !== id);
    if (left.length === 0) ready.delete(projectId);
    else ready.set(projectId, left);
  }
}

port.on('message', (message: ToIndex) => {
  if (message.kind === 'find') begin(message.id, message.task);
  else if (message.kind === 'vectors') resume(message.id, message.rows);
  else if (message.kind === 'leave') leave(message.id);
  else if (message.kind === 'begin') store.begin(message.projectId);
  else if (message.kind === 'slice') store.addSlice(message.projectId, message.slices);
  else if (message.kind === 'loaded') store.setLoaded(message.projectId);
  else if (message.kind === 'new') store.addNew(message.projectId, message.rows);
  else store.addRecorded(message.projectId, message.row);
});
