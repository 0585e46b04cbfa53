import { Counter, type Registry } from 'prom-client';
import type { LabelledCounts } from '../../platform/tracing/labelled-counts.js';
import type { AppDeps } from '../app.js';

export function registerMarkMetrics(registry: Registry, { credentials }: Pick<AppDeps, 'credentials'>): void {
  report(registry, credentials.marks, {
    name: 'colophon_mark_layers_total',
    help: 'Layers of contents that this process marked, by kind and by state: added, pending or unavailable',
    labelNames: ['kind', 'state'],
  });
}

export function registerDetectionMetrics(registry: Registry, { detector }: Pick<AppDeps, 'detector'>): void {
  if (detector === undefined) return;
  report(registry, detector.counts, {
    name: 'colophon_detections_total',
    help: 'Findings of the public detector in this process, by layer and confidence; `none`: files without a mark',
    labelNames: ['layer', 'confidence'],
  });
}

function report<Label extends string>(
  registry: Registry,
  counts: LabelledCounts<Label>,
  described: { name: string; help: string; labelNames: Label[] },
): void {
  new Counter<Label>({
    ...described,
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, count } of counts.read()) this.inc({ ...labels }, count);
    },
  });
}
