import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { startReceiver } from '../support/receiver.js';
import {
  ANN_CREATES,
  ANY_ENGINE,
  jsonPost,
  KEY,
  type Service,
  startService,
  toForm,
} from '../support/service.js';
import { type SentSpan, type SpanCollector, startSpanCollector } from '../support/span-collector.js';

const SOON = { timeout: 20_000, interval: 50 };
const STANDARD = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_SERVICE_NAME'];

let collector: SpanCollector | undefined;
let service: Service | undefined;

afterEach(async () => {
  await service?.stop();
  await collector?.close();
  vi.unstubAllEnvs();
  service = undefined;
  collector = undefined;
});

/** OpenTelemetry reads its variables from the process. */
async function startTraced(environment: Record<string, string> = {}) {
  const opened = await startSpanCollector();
  collector = opened;
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const standard = { OTEL_EXPORTER_OTLP_ENDPOINT: opened.url, ...environment };
  const none = Object.fromEntries(STANDARD.map((name) => [name, undefined]));
  for (const [name, value] of Object.entries({ ...none, OTEL_BSP_SCHEDULE_DELAY: '50', ...standard }))
    vi.stubEnv(name, value);
  service = await startService(ANY_ENGINE, {
    environment: standard,
    overrides: { logger: pino({ level: 'info' }, stream) },
  });
  return { ...service, ...opened, lines };
}

const isRequest = (span: SentSpan) => span.kind === 2;

/** Arrives in events of a socket that is older than the span of the request, so this span is not current there. */
async function* slowly(text: string): AsyncGenerator<Uint8Array> {
  await sleep(300);
  yield Buffer.from(text);
}

const FORM = { path: '/v1/activity', init: () => ({ body: toForm('a photo', ANN_CREATES) }) };
const SLOW_JSON = {
  path: '/v1/entity',
  init: () => ({
    headers: { 'content-type': 'application/json' },
    body: slowly('{"id":"ann","role":"human"}') as unknown as BodyInit,
    duplex: 'half' as const,
  }),
};

it.each([FORM, SLOW_JSON])(
  'a recording is one trace: the span of $path is a child of the caller, and the parent of the SQL statement',
  async ({ path, init }) => {
    const { send, spans, lines } = await startTraced({ OTEL_SERVICE_NAME: 'archive' });
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const caller = 'b7ad6b7169203331';
    const sent = { headers: {}, ...init() };
    const headers = { ...sent.headers, traceparent: `00-${traceId}-${caller}-01` };
    expect((await send(path, { method: 'POST', ...sent, headers })).status).toBe(201);
    await expect.poll(() => spans.some(isRequest), SOON).toBe(true);
    const own = spans.filter((span) => span.traceId === traceId);
    const [request] = own.filter(isRequest);
    expect(request).toMatchObject({
      name: `POST ${path}`,
      parentId: caller,
      attributes: { 'http.request.method': 'POST', 'http.route': path, 'http.response.status_code': 201 },
      resource: { 'service.name': 'archive', 'service.version': '0.1.0' },
      isError: false,
    });
    const recording = own.find(({ attributes }) =>
      /provenance\.record(_fresh)?\(/.test(String(attributes['db.query.text'])),
    );
    expect(recording).toMatchObject({
      parentId: request?.spanId,
      attributes: { 'db.system.name': 'postgresql' },
    });
    expect(lines.find(({ msg }) => msg === 'request')).toMatchObject({ trace_id: traceId });
  },
);

it('each batch of recordings has its own trace, which links to the spans of the requests in the batch', async () => {
  const { send, spans } = await startTraced();
  await send('/v1/entity', jsonPost({ id: 'ann', role: 'human' }));
  const count = 20;
  const record = () => send('/v1/action', jsonPost({ performedBy: 'ann' }));
  const answers = await Promise.all(Array.from({ length: count }, record));
  expect(answers.map(({ status }) => status)).toEqual(Array(count).fill(201));
  const requests = () => spans.filter(({ name }) => name === 'POST /v1/action');
  await expect.poll(() => requests().length, SOON).toBe(count);
  const ids = requests().map(({ spanId }) => spanId);
  const recordings = spans.filter(({ attributes }) =>
    /provenance\.record(_fresh)?\(/.test(String(attributes['db.query.text'])),
  );
  const parents = recordings.map(({ parentId }) => parentId);
  const together = spans.filter(({ name, spanId }) => name === 'record together' && parents.includes(spanId));
  expect(together.length).toBeGreaterThan(0);
  expect(together.every(({ parentId, links }) => parentId === '' && links.length > 1)).toBe(true);
  const alone = parents.filter((id) => ids.includes(id));
  expect([...together.flatMap(({ links }) => links), ...alone].toSorted()).toEqual(ids.toSorted());
});

it('spans contain neither keys nor texts of callers', async () => {
  const headers = 'x-collector-key=secret-of-the-collector';
  const { send, upload, bodies, headers: sent } = await startTraced({ OTEL_EXPORTER_OTLP_HEADERS: headers });
  await upload('words of the content', { entity: { role: 'human', name: 'Name of a person' } });
  await send('/v1/search/text', jsonPost({ query: 'words of a search' }));
  await send('/v1/entity/name-in-the-path?role=query-of-a-request');
  await expect.poll(() => collector?.spans.filter(isRequest).length, SOON).toBe(3);
  expect(sent[0]).toMatchObject({ 'x-collector-key': 'secret-of-the-collector' });
  const all = Buffer.concat(bodies).toString('latin1');
  expect(all).toContain('/v1/entity/:id');
  for (const text of [KEY, 'words of', 'Name of a person', 'name-in-the-path', 'query-of', 'secret-of'])
    expect(all).not.toContain(text);
});

it('the job of a webhook has its own trace, down to the failing request', async () => {
  const { manage, send, spans } = await startTraced({ ALLOW_PRIVATE_ADDRESSES: 'true' });
  const receiver = await startReceiver();
  receiver.answer = (response) => void response.writeHead(500).end();
  await manage('ann', '/orgs', { body: { name: 'Desk', slug: 'desk' } });
  const project = { orgSlug: 'desk', name: 'Front page' };
  const { id } = await (await manage('ann', '/projects', { body: project })).json();
  const made = await manage('ann', '/api-keys', {
    body: { projectId: id, name: 'key', permissions: 'write' },
  });
  const headers = { authorization: `Bearer ${(await made.json()).key}` };
  await manage('ann', `/projects/${id}/webhooks`, { body: { url: `${receiver.url}/a-secret-path` } });
  await send('/v1/entity', jsonPost({ id: 'ann', role: 'human' }, headers));
  await send('/v1/action', jsonPost({ performedBy: 'ann' }, headers));
  const ofJob = () => spans.find(({ name }) => name === 'job webhook-delivery');
  await expect.poll(ofJob, SOON).toMatchObject({ parentId: '', isError: true });
  const below = spans.filter(({ parentId }) => parentId === ofJob()?.spanId);
  expect(below.find(({ name }) => name === 'POST')).toMatchObject({
    kind: 3,
    isError: true,
    attributes: { 'server.address': '127.0.0.1', 'http.response.status_code': 500 },
  });
  expect(JSON.stringify(spans)).not.toContain('a-secret-path');
  expect(receiver.received[0]?.headers).not.toHaveProperty('traceparent');
  await receiver.close();
});

it('without a collector, recordings succeed, and the service log reports the lost spans', async () => {
  const { upload, lines } = await startTraced();
  await collector?.close();
  expect((await upload('a photo')).status).toBe(201);
  await expect.poll(() => lines.some(({ msg }) => msg === 'spans were not sent'), SOON).toBe(true);
  expect((await upload('another photo')).status).toBe(201);
});

it('the service sends no spans with OTEL_SDK_DISABLED=true', async () => {
  const { upload, bodies } = await startTraced({ OTEL_SDK_DISABLED: 'true' });
  expect((await upload('a photo')).status).toBe(201);
  await service?.stop();
  service = undefined;
  expect(bodies).toEqual([]);
});
