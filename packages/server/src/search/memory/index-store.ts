import { type Method, TEXT_METHOD } from '../descriptor.js';
import { parseStoredVector } from '../nearest.sql.js';
import type { NewDescriptor, RecordedRow, SignSlice, StoredVector } from './protocol.js';
import { signBytes } from './sign-scan.js';
import { createVectorTable, type VectorTable } from './vector-table.js';

/** The projects in memory, in the order of their last use. */
export interface IndexStore {
  /** Begins to load a project. The store ignores messages for other projects, including evicted ones. */
  begin(projectId: string): void;
  addSlice(projectId: string, slices: readonly SignSlice[]): void;
  addNew(projectId: string, rows: readonly NewDescriptor[]): void;
  addRecorded(projectId: string, row: RecordedRow): void;
  /** Stores vectors in a table from `find`. */
  keepVectors(projectId: string, table: VectorTable, rows: readonly StoredVector[]): void;
  setLoaded(projectId: string): void;
  /** Returns undefined when the project is not loaded. `table` is undefined when the project has no such content. */
  find(projectId: string, method: Method, dimensions: number): { table: VectorTable | undefined } | undefined;
}

interface Project {
  tables: Map<string, VectorTable>;
  isLoaded: boolean;
}

/**
 * Creates a store within `maxBytes`: vectors are evicted first, then the projects that were unused for the longest
 * time.
 */
export function createIndexStore(maxBytes: number, onEvicted: (projectId: string) => void): IndexStore {
  const projects = new Map<string, Project>();
  let totalBytes = 0;

  function use(projectId: string): Project | undefined {
    const project = projects.get(projectId);
    if (project === undefined) return undefined;
    projects.delete(projectId);
    projects.set(projectId, project);
    return project;
  }

  function remove(projectId: string): void {
    const project = projects.get(projectId);
    if (project === undefined) return;
    totalBytes -= bytesOf(project);
    projects.delete(projectId);
  }

  function change(projectId: string, project: Project, apply: () => void): void {
    const before = bytesOf(project);
    apply();
    if (projects.get(projectId) === project) totalBytes += bytesOf(project) - before;
  }

  /** Evicts vectors. The most recently used project retains half of its vectors. */
  function dropVectors(): void {
    let left = projects.size;
    for (const [projectId, project] of projects) {
      if (totalBytes <= maxBytes) return;
      const keep = --left === 0 ? 0.5 : 0;
      change(projectId, project, () => {
        for (const table of project.tables.values()) table.dropVectors(keep);
      });
    }
  }

  function makeRoom(): void {
    dropVectors();
    for (const projectId of projects.keys()) {
      if (totalBytes <= maxBytes) return;
      remove(projectId);
      onEvicted(projectId);
    }
  }

  return {
    begin(projectId) {
      remove(projectId);
      projects.set(projectId, { tables: new Map(), isLoaded: false });
    },
    addSlice(projectId, slices) {
      const project = use(projectId);
      if (project === undefined) return;
      change(projectId, project, () => {
        for (const slice of slices) addSigns(project, slice);
      });
      makeRoom();
    },
    addNew(projectId, rows) {
      const project = use(projectId);
      if (project === undefined) return;
      change(projectId, project, () => {
        for (const row of rows) addNewRow(project, row);
      });
      makeRoom();
    },
    addRecorded(projectId, row) {
      const project = use(projectId);
      if (project === undefined || row.signs === '') return;
      change(projectId, project, () => addRecordedRow(project, row));
      makeRoom();
    },
    keepVectors(projectId, table, rows) {
      const before = table.bytes();
      for (const row of rows) keepStored(table, table.rowOf(row.cid), row);
      const isKept = [...(projects.get(projectId)?.tables.values() ?? [])].includes(table);
      if (isKept) totalBytes += table.bytes() - before;
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

function bytesOf({ tables }: Project): number {
  return [...tables.values()].reduce((sum, table) => sum + table.bytes(), 0);
}

function toEvidence(base64: string | null): Uint8Array | undefined {
  return base64 === null ? undefined : Buffer.from(base64, 'base64');
}

/** Packs signs from text into bytes, first sign highest. */
function packSigns(signs: string): Uint8Array {
  const bytes = new Uint8Array(signBytes(signs.length));
  for (let at = 0; at < signs.length; at++)
    if (signs.charCodeAt(at) === 0x31) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (128 >> (at & 7));
  return bytes;
}
