import { Counter, Gauge, type Registry } from 'prom-client';
import type { AppDeps } from '../app.js';

export function countWork(
  registry: Registry,
  { records: { scheduler }, limits: { turns } }: Pick<AppDeps, 'records' | 'limits'>,
): void {
  const registers = [registry];
  new Gauge({
    name: 'colophon_requests_waiting',
    help: 'Requests that wait for other requests of their owner, while other owners have requests; limit: OWNER_REQUESTS_AT_ONCE',
    registers,
    collect() {
      this.set(turns.waiting());
    },
  });
  new Gauge({
    name: 'colophon_work_tasks',
    help: 'Tasks of expensive work, by kind and by state: running or waiting',
    labelNames: ['kind', 'state'],
    registers,
    collect() {
      for (const [kind, { running, waiting }] of Object.entries(scheduler.counts())) {
        this.set({ kind, state: 'running' }, running);
        this.set({ kind, state: 'waiting' }, waiting);
      }
    },
  });
  new Counter({
    name: 'colophon_work_refused_total',
    help: 'Tasks rejected with 503: the queue of their project was full, or they waited too long',
    labelNames: ['kind'],
    registers,
    collect() {
      this.reset();
      for (const [kind, { refused }] of Object.entries(scheduler.counts())) this.inc({ kind }, refused);
    },
  });
  new Gauge({
    name: 'colophon_work_memory_bytes',
    help: 'Memory reserved for running tasks; WORKER_MEMORY_BYTES is its limit',
    registers,
    collect() {
      this.set(scheduler.memoryBytes());
    },
  });
}

/** Engines other than PostgreSQL have no pool. */
export function countConnections(registry: Registry, { management }: Pick<AppDeps, 'management'>): void {
  const { connections } = management.deps.control;
  if (connections === undefined) return;
  const registers = [registry];
  new Gauge({
    name: 'colophon_database_connections',
    help: 'Statements and transactions that have a connection (running) or wait for one; limit: DATABASE_CONNECTIONS',
    labelNames: ['state'],
    registers,
    collect() {
      const { running, waiting } = connections();
      this.set({ state: 'running' }, running);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  new Counter({
    name: 'colophon_database_refused_total',
    help: 'Statements and transactions rejected with 503: no connection was free in time',
    registers,
    collect() {
      this.reset();
      this.inc(connections().refused);
    },
  });
}
