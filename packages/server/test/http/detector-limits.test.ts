import { once } from 'node:events';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createLimiter } from '../../src/access/limiter.js';
import { createDetector } from '../../src/compose/detector.js';
import { ServiceError } from '../../src/errors.js';
import { checkLayer } from '../../src/http/handlers/detect-file.js';
import { requireDetector, runDetection } from '../../src/http/handlers/detector.js';
import { detectAt } from '../support/media-form.js';
import { ANY_ENGINE, startService } from '../support/service.js';

const SOON = { timeout: 30_000 };
const environment = { PUBLIC_DETECTOR: 'true', PUBLIC_DETECTOR_RPM: '100000' };

/** The form never ends. */
function beginForm(base: string, localAddress = '127.0.0.1'): ClientRequest {
  const headers = { 'content-type': 'multipart/form-data; boundary=b', 'content-length': '100000' };
  const request = httpRequest(`${base}/public/detect`, { method: 'POST', headers, localAddress });
  request.on('error', () => {}); // the connection ends before the form
  request.write('--b\r\n');
  return request;
}

it('addresses take turns, and the hosts of an IPv6 network have one turn', async () => {
  const settings = { detector: { perMinute: 10, maxBytes: 1 } };
  const detector = createDetector(settings, { create: (_name, allowance) => createLimiter(allowance) });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const gone = new AbortController().signal;
  const detections = ['2001:db8::1', '2001:db8::2', '2001:db8::3', '192.0.2.7'].map((address) =>
    runDetection(requireDetector({ detector }), { address, gone }, () => {
      begun.push(address);
      return new Promise<void>((resolve) => ends.push(resolve));
    }),
  );
  for (let count = 1; count <= 4; count++) {
    await expect.poll(() => begun.length, SOON).toBe(count);
    ends.shift()?.();
  }
  expect(begun).toEqual(['2001:db8::1', '2001:db8::2', '192.0.2.7', '2001:db8::3']);
  await Promise.all(detections);
});

it('an address may have two waiting detections', async () => {
  const settings = { detector: { perMinute: 10, maxBytes: 1 } };
  const detector = createDetector(settings, { create: (_name, allowance) => createLimiter(allowance) });
  let end = () => {};
  const work = new Promise<void>((resolve) => {
    end = resolve;
  });
  const visitor = { address: '192.0.2.7', gone: new AbortController().signal };
  const run = () => runDetection(requireDetector({ detector }), visitor, () => work);
  const accepted = [run(), run(), run()];
  await expect(run()).rejects.toMatchObject({ code: 'Unavailable' });
  end();
  await Promise.all(accepted);
});

describe('a layer of a detection', () => {
  const fail = (error: Error) => () => Promise.reject(error);

  it('is `unavailable` when its check fails, so the other layers still count', async () => {
    const { signal } = new AbortController();
    const broken = new ServiceError('Unavailable', 'The engine stopped at /secret/path.');
    const { check, layers } = await checkLayer('manifest', signal, fail(broken));
    expect([check.state, check.code, layers]).toEqual(['unavailable', 'failed', []]);
    expect(check.reason).not.toContain('secret');
  });

  it('ends the detection on an internal error, and on any error after the caller has left', async () => {
    const { signal } = new AbortController();
    await expect(checkLayer('log', signal, fail(new TypeError('a bug')))).rejects.toThrow('a bug');
    const gone = new ServiceError('Timeout', 'The caller left.');
    await expect(checkLayer('log', AbortSignal.abort(), fail(gone))).rejects.toBe(gone);
  });
});

describe('the limits of the public detector', () => {
  it('an address may send two files at once', async () => {
    const service = await startService(ANY_ENGINE, { environment });
    const slow = [beginForm(service.base), beginForm(service.base)];
    await expect.poll(async () => (await detectAt(service.base, 'x')).status, SOON).toBe(429);
    const refused = await detectAt(service.base, 'x');
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.body.error.message).toContain('2 detections in progress');
    for (const request of slow) request.destroy();
    await expect.poll(async () => (await detectAt(service.base, 'x')).status, SOON).toBe(200);
    await service.stop();
  });

  // Other systems have only one loopback address.
  it.runIf(process.platform === 'linux')('a new file takes the place of a slow file', async () => {
    const pace = { intervalMs: 3_600_000, minBytes: 0 };
    const overrides = { pace, slowDetectionMs: 0 };
    const service = await startService(ANY_ENGINE, { environment, overrides });
    const cut: number[] = [];
    const forms = [2, 2, 3, 3, 4, 4, 5, 5].map((last) => beginForm(service.base, `127.0.0.${last}`));
    for (const form of forms) form.on('response', ({ statusCode = 0 }) => cut.push(statusCode));
    const detectOne = async () => [(await detectAt(service.base, 'x')).status, cut[0]];
    await expect.poll(detectOne, SOON).toEqual([200, 408]);
    for (const form of forms) form.destroy();
    await service.stop();
  });

  it('the detector does not exist unless the operator turns it on', async () => {
    const service = await startService(ANY_ENGINE);
    const { status, body } = await detectAt(service.base, 'x');
    expect([status, body.error.recovery]).toEqual([404, expect.stringContaining('PUBLIC_DETECTOR=true')]);
    await service.stop();
  });

  it('a form must arrive within the time limit of a JSON body', async () => {
    const pace = { intervalMs: 20, minBytes: 0, wholeMs: 50 };
    const service = await startService(ANY_ENGINE, { environment, overrides: { pace } });
    const [answer] = await once(beginForm(service.base), 'response');
    expect(answer.statusCode).toBe(408);
    await service.stop();
  });

  it('an address may send PUBLIC_DETECTOR_RPM requests a minute, with files of PUBLIC_DETECTOR_BYTES', async () => {
    const limits = { PUBLIC_DETECTOR: 'true', PUBLIC_DETECTOR_RPM: '2', PUBLIC_DETECTOR_BYTES: '2048' };
    const service = await startService(ANY_ENGINE, { environment: limits });
    const large = await detectAt(service.base, new Uint8Array(2049));
    expect([large.status, large.body.error.recovery]).toEqual([
      413,
      expect.stringContaining('PUBLIC_DETECTOR_BYTES'),
    ]);
    expect((await detectAt(service.base, new Uint8Array(2048))).status).toBe(200);
    const refused = await detectAt(service.base, 'x');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([
      429,
      expect.stringMatching(/^\d+$/),
    ]);
    await service.stop();
  });
});
