// An idle process that measures the delay of its own event loop. It shows the delay that the machine causes, to compare
// with the delay of the service.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
process.on('message', () => {
  process.send(delay.percentile(99) / 1e6);
  delay.reset();
});
