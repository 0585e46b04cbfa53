import { expect, it, vi } from 'vitest';
import { startProcess } from '../support/process.js';

const SOON = { timeout: 10_000, interval: 20 };

it('the log has a line for each request, while the service runs and after its shutdown', async () => {
  const service = await startProcess({ LOG_LEVEL: 'info' });
  const linesOf = (route: string) => service.output().split(`"route":"${route}"`).length - 1;
  await service.send('/v1/entities');
  await vi.waitFor(() => expect(linesOf('/v1/entities')).toBe(1), SOON);
  await Promise.all(Array.from({ length: 20 }, () => service.send('/v1/actions')));
  expect(await service.stop()).toBe(0);
  await vi.waitFor(() => expect(service.output()).toContain('"msg":"closing"'), SOON);
  expect(linesOf('/v1/actions')).toBe(20);
});

it('the service shuts down on request, even if the reader of its log is gone', async () => {
  const service = await startProcess({ LOG_LEVEL: 'info' });
  service.stopReading();
  expect(await service.stop()).toBe(0);
});
