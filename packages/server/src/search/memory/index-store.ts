import { type Method, TEXT_METHOD } from '../descriptor.js';
import { parseStoredVector } from '../nearest.sql.js';
import type { NewDescriptor, RecordedRow, SignSlice, StoredVector } from './protocol.js';
import { signBytes } from './sign-scan.js';
import { createVectorTable, type VectorTable } from './vector-table.js';

export interface IndexStore {
  /** Ignores later slices and descriptors of projects that are not in memory. */
  begin(projectId: string): void;
  addSlice(projectId: string, slices: readonly SignSlice[]): void;
  addNew(projectId: string, rows: readonly NewDescriptor[]): void;
  addRecorded(projectId: string, row: RecordedRow): void;
  keepVectors(projectId: string, table: VectorTable, rows: readonly StoredVector[]): void;
  setLoaded(projectId: string): void;
  /** Returns undefined when the project is not loaded. `table` is undefined when the project has no such content. */
  find(projectId: string, method: Method, dimensions: number): { table: VectorTable | undefined } | undefined;
}

interface Project {
  tables: Map<string, VectorTable>;
  isLoaded: boolean;
  bytes: number;
  usedAtMs: number;
}

/** Projects without searches and writes for this time are evicted first. */
const IDLE_MS = 10 * 60_000;
/** Share of its vectors that a project keeps at each eviction. */
const RETAINED_SHARE = 0.5;

/**
 * Creates a store within `maxBytes`. It first evicts idle projects, then vectors of projects above an equal share, and
 * then these projects. A project in use keeps everything up to an equal share.
 */
export function createIndexStore(
  maxBytes: number,
  onEvicted: (projectId: string) => void,
  now: () => number = () => performance.now(),
): IndexStore {
  /** The projects in the order of their last use, oldest first. */
  const projects = new Map<string, Project>();
  let totalBytes = 0;

  function use(projectId: string): Project | undefined {
    const project = projects.get(projectId);
    if (project === undefined) return undefined;
    projects.delete(projectId);
    projects.set(projectId, project);
    project.usedAtMs = now();
    return project;
  }

  function remove(projectId: string): void {
    totalBytes -= projects.get(projectId)?.bytes ?? 0;
    projects.delete(projectId);
  }

  function evict(projectId: string): void {
    remove(projectId);
    onEvicted(projectId);
  }

  /** An evicted project does not count, but a search may still use it. */
  function count(projectId: string, project: Project): void {
    if (projects.get(projectId) !== project) return;
    const bytes = sum(project, (table) => table.bytes());
    totalBytes += bytes - project.bytes;
    project.bytes = bytes;
  }

  function evictIdle(): void {
    for (const [projectId, { usedAtMs }] of projects) {
      if (totalBytes <= maxBytes || now() - usedAtMs < IDLE_MS) return;
      evict(projectId);
    }
  }

  function dropVectors(projectId: string, project: Project): void {
    for (const table of project.tables.values()) table.dropVectors(RETAINED_SHARE);
    count(projectId, project);
  }

  function makeRoom(): void {
    if (totalBytes > maxBytes) evictIdle();
    while (totalBytes > maxBytes) {
      const above = listAboveShare(projects, maxBytes);
      const [largest] = above;
      if (largest === undefined) return;
      const withVectors = above.find(([, project]) => hasVectors(project));
      if (withVectors === undefined) evict(largest[0]);
      else dropVectors(...withVectors);
    }
  }

  return {
    begin(projectId) {
      remove(projectId);
      projects.set(projectId, { tables: new Map(), isLoaded: false, bytes: 0, usedAtMs: now() });
    },
    addSlice(projectId, slices) {
      const project = use(projectId);
      if (project === undefined) return;
      for (const slice of slices) addSigns(project, slice);
      count(projectId, project);
      makeRoom();
    },
    addNew(projectId, rows) {
      const project = use(projectId);
      if (project === undefined) return;
      for (const row of rows) addNewRow(project, row);
      count(projectId, project);
      makeRoom();
    },
    addRecorded(projectId, row) {
      const project = use(projectId);
      if (project === undefined || row.signs === '') return;
      addRecordedRow(project, row);
      count(projectId, project);
      makeRoom();
    },
    keepVectors(projectId, table, rows) {
      for (const row of rows) keepStored(table, table.rowOf(row.cid), row);
      const project = projects.get(projectId);
      if (project !== undefined) count(projectId, project);
    },
    setLoaded(projectId) {
      const project = projects.get(projectId);
      if (project !== undefined) project.isLoaded = true;
    },
    find(projectId, method, dimensions) {
      makeRoom();
      const project = use(projectId);
      if (project === undefined || !project.isLoaded) return undefined;
      return { table: project.tables.get(nameOf(method, dimensions)) };
    },
  };
}

/** Returns the projects with more than an equal share, the largest first. Not empty while memory is short. */
function listAboveShare(projects: ReadonlyMap<string, Project>, maxBytes: number): [string, Project][] {
  const shareBytes = maxBytes / projects.size;
  const above = [...projects].filter(([, { bytes }]) => bytes > shareBytes);
  return above.sort(([, a], [, b]) => b.bytes - a.bytes);
}

function addSigns(project: Project, { method, dimensions, cids, types, signs }: SignSlice): void {
  const table = tableOf(project, method, dimensions);
  const bytes = Buffer.from(signs, 'base64');
  const step = Math.ceil(dimensions / 8);
  const typeOf = types.split('\n');
  for (const [index, cid] of cids.split('\n').entries())
    table.put({ cid, type: typeOf[index] ?? '' }, bytes.subarray(index * step, (index + 1) * step));
}

function addNewRow(project: Project, row: NewDescriptor): void {
  const table = tableOf(project, row.method, row.dimensions);
  keepStored(table, table.put(row, Buffer.from(row.signs, 'base64')), row);
}

function keepStored(table: VectorTable, row: number | undefined, { vector, evidence }: StoredVector): void {
  if (row !== undefined) table.keepVector(row, parseStoredVector(vector), toEvidence(evidence));
}

function addRecordedRow(project: Project, row: RecordedRow): void {
  const { method, embedding, signs, evidence } = row;
  const table = tableOf(project, method, signs.length);
  const vector = Float32Array.from(embedding.slice(1, -1).split(','), Number);
  table.keepVector(table.put(row, packSigns(signs)), vector, toEvidence(evidence));
}

function tableOf(project: Project, method: Method, dimensions: number): VectorTable {
  const name = nameOf(method, dimensions);
  const table = project.tables.get(name) ?? createVectorTable(dimensions, method === TEXT_METHOD);
  project.tables.set(name, table);
  return table;
}

function nameOf(method: Method, dimensions: number): string {
  return `${dimensions} ${method}`;
}

function hasVectors(project: Project): boolean {
  return sum(project, (table) => table.vectorBytes()) > 0;
}

function sum({ tables }: Project, bytesOf: (table: VectorTable) => number): number {
  return [...tables.values()].reduce((bytes, table) => bytes + bytesOf(table), 0);
}

function toEvidence(base64: string | null): Uint8Array | undefined {
  return base64 === null ? undefined : Buffer.from(base64, 'base64');
}

/** The first sign is the highest bit of the first byte. */
function packSigns(signs: string): Uint8Array {
  const bytes = new Uint8Array(signBytes(signs.length));
  for (let at = 0; at < signs.length; at++)
    if (signs.charCodeAt(at) === 0x31) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (128 >> (at & 7));
  return bytes;
}
