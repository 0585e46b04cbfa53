import { Counter, Gauge, type Registry } from 'prom-client';
import type { AppDeps } from '../app.js';

/** The metrics stay 0 if the service stores no checkpoints in the store for bytes. */
export function countSignedHeads(
  registry: Registry,
  { transparencyLog: { signedHeads } }: Pick<AppDeps, 'transparencyLog'>,
): void {
  const registers = [registry];
  new Gauge({
    name: 'colophon_logs_forked',
    help: 'Logs that this process does not sign, because the database lacks leaves that were signed before',
    registers,
    collect() {
      this.set(signedHeads?.state().forked.length ?? 0);
    },
  });
  new Gauge({
    name: 'colophon_log_heads_unstored',
    help: 'Signed checkpoints that the store for bytes may not have yet',
    registers,
    collect() {
      this.set(signedHeads?.state().unstored ?? 0);
    },
  });
  new Counter({
    name: 'colophon_log_head_failures_total',
    help: 'Failed reads and writes of signed checkpoints in the store for bytes',
    labelNames: ['step'],
    registers,
    collect() {
      this.reset();
      const { read = 0, write = 0 } = signedHeads?.state().failures ?? {};
      this.inc({ step: 'read' }, read);
      this.inc({ step: 'write' }, write);
    },
  });
}
