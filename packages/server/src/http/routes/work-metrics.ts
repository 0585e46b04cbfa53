import { Counter, Gauge, type Registry } from 'prom-client';
import type { AppDeps } from '../app.js';

/** Reports finished and waiting work of the scheduler of expensive work. */
export function countWork(registry: Registry, { records: { scheduler } }: AppDeps): void {
  const registers = [registry];
  new Gauge({
    name: 'colophon_work_tasks',
    help: 'Tasks of expensive work, by kind and by whether they run or wait for their turn',
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
    help: 'Tasks refused with 503: too many of their project waited, or they waited too long',
    labelNames: ['kind'],
    registers,
    collect() {
      this.reset();
      for (const [kind, { refused }] of Object.entries(scheduler.counts())) this.inc({ kind }, refused);
    },
  });
  new Gauge({
    name: 'colophon_work_memory_bytes',
    help: 'Memory that is set aside for running tasks; WORKER_MEMORY_BYTES is its bound',
    registers,
    collect() {
      this.set(scheduler.memoryBytes());
    },
  });
}
