import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLedger } from './ledger.js';
import { type Service, startService } from './service.js';

type Spoil = (url: string, text: string) => { status?: number; text: string } | undefined;

let service: Service;
let server: Server;
let base: string;
let spoil: Spoil = () => undefined;

/** A test can change the proxy's answers. */
beforeAll(async () => {
  service = await startService('PGlite in memory', { environment: { SERVER_SIGNING_KEY: '3c'.repeat(32) } });
  server = createServer(async (request, response) => {
    const { url = '', headers } = request;
    const answer = await fetch(service.base + url, {
      headers: { authorization: headers.authorization ?? '' },
    });
    const { status = answer.status, text } = spoil(url, await answer.clone().text()) ?? {
      text: await answer.text(),
    };
    response.writeHead(status).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await service.stop();
});

const ledger = createLedger();
const twice = (text: string) => {
  const answer = JSON.parse(text);
  return JSON.stringify({ ...answer, actions: [...(answer.actions ?? []), ...(answer.actions ?? [])] });
};

it('the ledger accepts a service that keeps acknowledged records', async () => {
  const load = ledger.load(service.base, 4);
  await ledger.untilAcknowledged(6);
  await load.stop();
  await ledger.check(base);
  await ledger.checkLatest(base);
});

const PLANTED: [what: string, found: string, Spoil][] = [
  ['a record that is gone', 'lost', (url) => (/bundle/.test(url) ? { status: 404, text: '{}' } : undefined)],
  [
    'a content with other bytes',
    'lost',
    (url, text) => (/content$/.test(url) ? { text: `${text}.` } : undefined),
  ],
  [
    'a record that is listed twice',
    'doubled',
    (url, text) => (/v1\/actions/.test(url) ? { text: twice(text) } : undefined),
  ],
  [
    'a content that was recorded twice',
    'doubled',
    (url, text) => (/bundle/.test(url) ? { text: twice(text) } : undefined),
  ],
  [
    'a content without its resource',
    'halfWritten',
    (url, text) =>
      /bundle/.test(url) ? { text: JSON.stringify({ ...JSON.parse(text), resources: [] }) } : undefined,
  ],
  [
    'a log with too many leaves',
    'halfWritten',
    (url, text) => (/v1\/log$/.test(url) ? { text: text.replace(/"size":\s*\d+/, '"size":99') } : undefined),
  ],
  [
    'a receipt with another digest',
    'brokenProofs',
    (url, text) => (/receipt$/.test(url) ? { text: text.replace(/sha256:../, 'sha256:00') } : undefined),
  ],
  [
    'a project that sees a bundle of the other project',
    'otherTenant',
    (url, text) => (/bundle/.test(url) && /NotFound/.test(text) ? { status: 200, text } : undefined),
  ],
];

/** The ledger adds up the findings of all checks. */
let before: Record<string, number> = {};

it.each(PLANTED)('the ledger finds %s: %s', async (_, found, plant) => {
  spoil = plant;
  const error: unknown = await ledger.check(base).catch((thrown: unknown) => thrown);
  spoil = () => undefined;
  const { actual = {} } = error as { actual?: Record<string, number> };
  expect(actual[found]).toBeGreaterThan(before[found] ?? 0);
  before = { ...actual };
});
