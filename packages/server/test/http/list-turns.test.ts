import { afterAll, beforeAll, expect, it } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { ANY_ENGINE, OTHER_KEY, type Service, startService } from '../support/service.js';

let service: Service;
beforeAll(async () => {
  service = await startService(ANY_ENGINE);
});
afterAll(() => service.stop());

it('the third list of one project waits for the first two while another project has requests', async () => {
  const { limitLists, hasOtherRequests } = service.context.records;
  const gone = new AbortController();
  const other = { authorization: `Bearer ${OTHER_KEY}` };
  const endless = {
    method: 'POST',
    body: beginBody(),
    duplex: 'half',
    signal: gone.signal,
  } as const;
  const headers = { ...other, 'content-type': 'application/json' };
  const stalled = fetch(`${service.base}/v1/activity`, { ...endless, headers }).catch(() => {});
  await expect.poll(() => hasOtherRequests?.(namedProjectId('one'))).toBe(true);
  const idle = new AbortController();
  const ended = new Promise<void>((resolve) => idle.signal.addEventListener('abort', () => resolve()));
  const busy = [1, 2].map(() => limitLists(namedProjectId('one'), () => ended));
  let isRead = false;
  const waiting = service.send('/v1/actions?limit=11').then((answer) => {
    isRead = true;
    return answer;
  });
  for (let limit = 1; limit <= 5; limit++) {
    expect((await service.send(`/v1/actions?limit=${limit}`, { headers: other })).status).toBe(200);
  }
  expect(isRead).toBe(false);
  idle.abort();
  expect((await waiting).status).toBe(200);
  gone.abort();
  await Promise.all([...busy, stalled]);
});

/** Only the first byte arrives. */
function beginBody(): ReadableStream {
  return new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{')) });
}
