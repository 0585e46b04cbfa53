// An idle process that measures the delay that the machine causes in an event loop.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
process.on('message', () => {
  process.send(delay.percentile(99) / 1e6);
  delay.reset();
});
