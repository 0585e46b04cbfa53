// A process that does nothing but watch its own event loop as the service does: what the machine alone delays.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
process.on('message', () => {
  process.send(delay.percentile(99) / 1e6);
  delay.reset();
});
