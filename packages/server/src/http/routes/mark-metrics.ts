import { Counter, type Registry } from 'prom-client';
import type { AppDeps } from '../app.js';

/** Reports the layers of marked contents. */
export function countMarks(registry: Registry, { credentials }: Pick<AppDeps, 'credentials'>): void {
  new Counter({
    name: 'colophon_mark_layers_total',
    help: 'Layers of contents that this process marked, by kind and by state: added, pending or unavailable',
    labelNames: ['kind', 'state'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { kind, state, count } of credentials.marks.read()) this.inc({ kind, state }, count);
    },
  });
}
