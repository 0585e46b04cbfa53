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

/** Reports the findings of the public detector. */
export function countDetections(registry: Registry, { detector }: Pick<AppDeps, 'detector'>): void {
  if (detector === undefined) return;
  new Counter({
    name: 'colophon_detections_total',
    help: 'Findings of the public detector in this process, by layer and confidence; `none`: files without a mark',
    labelNames: ['layer', 'confidence'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { layer, confidence, count } of detector.counts.read())
        this.inc({ layer, confidence }, count);
    },
  });
}
