// A process that only measures the delay of its own event loop, as the service does. It shows the delay that the
// machine causes.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
process.on('message', () => {
  process.send(delay.percentile(99) / 1e6);
  delay.reset();
});
