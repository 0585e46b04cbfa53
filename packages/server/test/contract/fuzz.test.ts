import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ANN_CREATES,
  ANY_ENGINE,
  KEY,
  MANAGEMENT_KEY,
  type Service,
  startService,
} from '../support/service.js';
import { type Call, callsOf } from './calls.js';
import { makeManagedWorld } from './managed-world.js';
import { mutate } from './mutate.js';
import { mutation } from './mutation.js';
import {
  type Answer,
  answerFault,
  errorFault,
  findOperation,
  type Operation,
  readOperations,
} from './operations.js';
import { makePageWorld } from './page-world.js';
import { type RawRequest, sendBytes, sendRaw } from './raw-request.js';
import { recordWorld } from './world.js';

/** FUZZ_SEED selects other random requests, and FUZZ_RUNS sets their number. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_802);
const RUNS = Number(process.env.FUZZ_RUNS ?? (process.env.LONG_TESTS ? 5_000 : 500));
const LONG_MS = 1_800_000;

/** Any request may get these statuses. */
const GENERAL = [400, 401, 403, 404, 405, 406, 408, 413, 414, 415, 422, 429, 431];

/** Requests of the page always have this Origin header. */
const PUBLIC_URL = 'http://page.example';

let service: Service;
let operations: Operation[];
const failures: string[] = [];
let valid: (Call & { method: string })[];

async function start(PROOF_POLICY: string): Promise<void> {
  failures.length = 0;
  const pace = { intervalMs: 200, minBytes: 1 };
  const logger = pino({ level: 'error' }, { write: (line) => void failures.push(line) });
  const environment = { PROOF_POLICY, PUBLIC_URL, SERVER_SIGNING_KEY: '5e'.repeat(32) };
  service = await startService(ANY_ENGINE, { environment, overrides: { pace, logger } });
  operations = readOperations(await (await fetch(`${service.base}/openapi.json`)).json());
  const calls = callsOf({
    world: await recordWorld(service, KEY),
    managed: await makeManagedWorld(service),
    page: await makePageWorld(service),
    tooLarge: new Uint8Array(),
  });
  valid = Object.entries(calls).flatMap(([name, ofOperation]) =>
    ofOperation
      .filter(({ status, as }) => status < 400 && (as === undefined || as === 'manager'))
      .map((call) => ({ ...call, method: name.split(' ')[0] ?? '' })),
  );
}

function faultOf({ method, target }: { method: string; target: string }, answer: Answer | undefined) {
  if (answer === undefined) return 'no answer';
  const { status, text } = answer;
  if (status >= 500) return `${status} ${text}`;
  if (method === 'HEAD' || status === 304) return text === '' ? undefined : `${status} has a body: ${text}`;
  if (method === 'OPTIONS' && status === 204) return undefined;
  const operation = findOperation(operations, { method, target });
  if (operation !== undefined && status < 400) return answerFault(operation, answer);
  if (operation === undefined && isPage(target, answer)) return undefined;
  if (!GENERAL.includes(status) && !operation?.answers.has(status))
    return `${status} is not documented: ${text}`;
  return errorFault(answer);
}

function isPage(target: string, { status, mediaType }: Answer): boolean {
  const isOfPage = /^\/app([/?]|$)/.test(target) && !/^\/app\/api([/?]|$)/.test(target);
  return status === 200 && mediaType?.startsWith('text/html') === true && isOfPage;
}

function show({ method, target, headers, body }: RawRequest): string {
  return `${method} ${target} ${JSON.stringify(headers)}\n${Buffer.from(body).toString('latin1').slice(0, 2_000)}`;
}

describe.each(['off', 'enforce'])('with the proof policy %s', (policy) => {
  beforeAll(() => start(policy));
  afterAll(() => service.stop());

  it('a valid request that is changed at random gets an allowed answer', { timeout: LONG_MS }, async () => {
    const call = fc.nat({ max: valid.length - 1 });
    await fc.assert(
      fc.asyncProperty(call, mutation, async (index, change) => {
        const call = valid[index] as Call & { method: string };
        const request = mutate(call, change, call.as === 'manager' ? MANAGEMENT_KEY : KEY);
        const fault = faultOf(request, await sendRaw(service.base, request));
        if (fault !== undefined) throw new Error(`${fault}\nto ${show(request)}`);
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });

  const secured = `host: a\r\nconnection: close\r\nauthorization: Bearer ${KEY}\r\n`;
  const json = `${secured}content-type: application/json\r\n`;
  const form = `${secured}content-type: multipart/form-data; boundary=b\r\n`;
  const chunked = `POST /v1/entity HTTP/1.1\r\n${json}transfer-encoding: chunked\r\n`;
  it.each([
    ['no Host', 400, 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n'],
    ['an unknown expectation', 200, `GET /v1/entities HTTP/1.1\r\n${secured}expect: nonsense\r\n\r\n`],
    ['Content-Length beside chunks', 400, `${chunked}content-length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    [
      'two lengths',
      400,
      `POST /v1/entity HTTP/1.1\r\n${json}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`,
    ],
    ['a negative length', 400, `POST /v1/entity HTTP/1.1\r\n${json}content-length: -1\r\n\r\n{}`],
    [
      'a length that no number can hold',
      400,
      `POST /v1/entity HTTP/1.1\r\n${json}content-length: ${'9'.repeat(30)}\r\n\r\n{}`,
    ],
    ['a broken chunk', 400, `${chunked}\r\nZZ\r\n{}\r\n0\r\n\r\n`],
    [
      'a broken chunk of a form',
      400,
      `POST /v1/activity HTTP/1.1\r\n${form}transfer-encoding: chunked\r\n\r\nZZ\r\n`,
    ],
    ['a chunk extension of 20 kB', 400, `${chunked}\r\n2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`],
    [
      'an unknown transfer coding',
      400,
      `POST /v1/entity HTTP/1.1\r\n${json}transfer-encoding: nonsense\r\n\r\n{}`,
    ],
    ['NUL in a header', 400, `GET /v1/entities HTTP/1.1\r\n${secured}x: a\0b\r\n\r\n`],
    ['17 kB of query', 414, `GET /v1/entities?x=${'y'.repeat(17_000)} HTTP/1.1\r\n${secured}\r\n`],
    ['a path without a leading slash', 400, `GET v1/entities HTTP/1.1\r\n${secured}\r\n`],
    ['a path that is not UTF-8', 400, `GET /v1/entity/%ff HTTP/1.1\r\n${secured}\r\n`],
    ['an unknown method', 400, `FOO /v1/entities HTTP/1.1\r\n${secured}\r\n`],
    ['a method of WebDAV', 405, `PROPFIND /v1/entities HTTP/1.1\r\n${secured}\r\n`],
    ['HTTP/2 without negotiation', 400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['TLS', 400, '\x16\x03\x01\x02\x00\x01\x00\x01'],
  ])('a request with %s gets the status %i', async (_, status, text) => {
    const answer = await sendBytes(service.base, Buffer.from(text, 'latin1'));
    expect(answer?.status).toBe(status);
    if (status >= 400) expect(errorFault(answer as Answer)).toBeUndefined();
    expect(answer?.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([71, 252, 253, 300])(
    'a form with a boundary of %i characters gets the status 400',
    async (length) => {
      const boundary = 'b'.repeat(length);
      const answer = await sendRaw(service.base, {
        method: 'POST',
        target: '/v1/activity',
        headers: [
          ['authorization', `Bearer ${KEY}`],
          ['content-type', `multipart/form-data; boundary=${boundary}`],
        ],
        body: Buffer.from(
          `--${boundary}\r\ncontent-disposition: form-data; name="json"\r\n\r\n` +
            `${JSON.stringify(ANN_CREATES)}\r\n--${boundary}--`,
        ),
      });
      expect(answer?.status).toBe(400);
      expect(errorFault(answer as Answer)).toBeUndefined();
    },
  );

  it.each(['/v1/entities', '/v1/activity', '/', '*'])(
    'OPTIONS %s without the headers of a preflight gets a documented answer',
    async (target) => {
      const request = { method: 'OPTIONS', target, headers: [], body: new Uint8Array() };
      expect(faultOf(request, await sendRaw(service.base, request))).toBeUndefined();
    },
  );

  const filePart = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nbytes';
  it.each([
    ['the JSON body', `POST /v1/entity HTTP/1.1\r\n${json}content-length: 100\r\n\r\n{"role":`],
    ['a file', `POST /v1/activity HTTP/1.1\r\n${form}content-length: 900\r\n\r\n${filePart}`],
    ['a form before its first part', `POST /v1/activity HTTP/1.1\r\n${form}content-length: 900\r\n\r\n--`],
    [
      'a chunked file',
      `POST /v1/activity HTTP/1.1\r\n${form}transfer-encoding: chunked\r\n\r\n5\r\n--b\r\n\r\n`,
    ],
  ])('no failure is logged if a client disconnects inside %s', async (_, text) => {
    const before = failures.length;
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(service.base).port) });
    await new Promise((resolve) => socket.write(text, resolve));
    setTimeout(() => socket.destroy(), 50);
    await new Promise((resolve) => socket.once('close', resolve));
    await sleep(50);
    expect(failures.slice(before)).toEqual([]);
  });

  it('the service still works after all requests, and has logged and counted no failure', async () => {
    expect((await fetch(`${service.base}/healthz`)).status).toBe(200);
    const metrics = await (await fetch(`${service.base}/metrics`)).text();
    const counts = metrics.split('\n').filter((line) => line.includes('_request_duration_seconds_count{'));
    expect(counts.length).toBeGreaterThan(operations.length);
    expect(counts.filter((line) => /status="5/.test(line))).toEqual([]);
    expect(failures).toEqual([]);
  });
});
