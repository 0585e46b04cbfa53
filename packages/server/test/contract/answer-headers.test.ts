import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANY_ENGINE, KEY, MANAGEMENT_KEY, type Service, startService } from '../support/service.js';
import { type Call, callsOf } from './calls.js';
import { makeManagedWorld } from './managed-world.js';
import { makePageWorld } from './page-world.js';
import { sendCall } from './send-call.js';
import { recordWorld } from './world.js';

const CLOSED = "default-src 'none'; frame-ancestors 'none'";
const SANDBOXED = "sandbox; default-src 'none'";
/** A browser never runs these media types. */
const INERT = /^(application\/(([\w.]+\+)?json|octet-stream|c2pa)|text\/plain)\b/;

/** Contains nothing from users, so other sites may show it. */
const ICON = 'GET /public/labels/{icon}.svg';
const PUBLIC_PICTURE = 'GET /app/api/public/{id}/picture';

function headerFaults({ headers, status }: Response, name = ''): string[] {
  const policy = headers.get('content-security-policy') ?? '';
  const type = headers.get('content-type');
  const isAttached = headers.get('content-disposition')?.startsWith('attachment') === true;
  const isIcon = name === ICON && status < 400;
  const isShown = isIcon || name === PUBLIC_PICTURE;
  const loadedBy = isIcon ? 'cross-origin' : 'same-origin';
  const faults: [fault: string, isThere: boolean][] = [
    ['lets the browser guess its type', headers.get('x-content-type-options') !== 'nosniff'],
    ['lets the browser send the address to linked pages', headers.get('referrer-policy') !== 'no-referrer'],
    ['has a wrong policy for pages of other sites', headers.get('cross-origin-resource-policy') !== loadedBy],
    ['does not require TLS for a year', headers.get('strict-transport-security') !== 'max-age=31536000'],
    ['has no id', headers.get('x-request-id') === null],
    ['lets the browser run code, or lets pages frame it', ![CLOSED, SANDBOXED].includes(policy)],
    ['lets pages of other origins send cookies', headers.has('access-control-allow-credentials')],
    [
      `has the type ${type}, but no sandbox`,
      type !== null &&
        !INERT.test(type) &&
        status < 300 &&
        !((isAttached || isShown) && policy === SANDBOXED),
    ],
  ];
  return faults.filter(([, isThere]) => isThere).map(([fault]) => `${status} ${fault}`);
}

type Declared = Record<string, Record<string, { responses: Record<string, { headers?: object }> }>>;

/**
 * Lists headers that the answer has but the document does not declare, and declared headers that the answer lacks.
 * Skips errors other than 429.
 */
function declarationFaults(paths: Declared, name: string, { headers, status }: Response): string[] {
  const [method = '', url = ''] = name.split(' ');
  const { responses } = paths[url.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] ?? {};
  if (status >= 400 && status !== 429) return [];
  const declared = Object.keys(responses?.[status]?.headers ?? {});
  return DECLARED.filter((one) => headers.has(one) !== declared.includes(one)).map(
    (one) => `${status} ${one} is ${headers.has(one) ? 'not declared' : 'declared and absent'}`,
  );
}

/** Headers that the document declares for successes and for 429. */
const DECLARED = ['ETag', 'Link', 'X-RateLimit-Remaining', 'RateLimit-Policy'];

describe('an answer to a browser', () => {
  let service: Service;
  let calls: [name: string, ofOperation: Call[]][];

  beforeAll(async () => {
    const environment = {
      PUBLIC_URL: 'https://page.example',
      MAX_UPLOAD_BYTES: '2000000',
      PUBLIC_DETECTOR: 'true',
    };
    service = await startService(ANY_ENGINE, { environment });
    const world = await recordWorld(service, KEY);
    const options = { world, managed: await makeManagedWorld(service), page: await makePageWorld(service) };
    calls = Object.entries(callsOf({ ...options, tooLarge: new Uint8Array(2_000_001) }));
  });
  afterAll(() => service.stop());

  it('has the security headers, for every operation and every status that a call causes', async () => {
    const found = new Set<string>();
    const undeclared = new Set<string>();
    const { paths } = (await (await service.send('/openapi.json')).json()) as { paths: Declared };
    const types = new Set<string>();
    for (const [name, ofOperation] of calls) {
      for (const { as, ...call } of ofOperation) {
        const key = { nobody: undefined, reader: KEY, owner: KEY, manager: MANAGEMENT_KEY }[as ?? 'owner'];
        const answer = await sendCall(service.base, { ...call, method: name.split(' ')[0] ?? '', key });
        await answer.arrayBuffer();
        if (answer.headers.has('content-type')) types.add(String(answer.headers.get('content-type')));
        for (const fault of headerFaults(answer, name)) found.add(`${name} ${fault}`);
        for (const fault of declarationFaults(paths, name, answer)) undeclared.add(`${name} ${fault}`);
      }
    }
    expect([...found]).toEqual([]);
    expect([...undeclared]).toEqual([]);
    expect([...types].some((type) => type.startsWith('image/'))).toBe(true);
    expect(calls.length).toBeGreaterThan(100);
  });

  it.each([
    '<script>alert(1)</script>',
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    '%PDF-1.7',
  ])(
    'with recorded bytes has a sandbox policy, so that the browser never runs these bytes: %s',
    async (bytes) => {
      const { cid } = await (await service.upload(bytes)).json();
      const answer = await service.send(`/v1/resource/${cid}/content`);
      expect(headerFaults(answer)).toEqual([]);
      expect(answer.headers.get('content-security-policy')).toBe(SANDBOXED);
    },
  );

  it.each([
    ['/metrics', CLOSED],
    ['/openapi.json', CLOSED],
    ['/none', CLOSED],
    ['/v1/none', CLOSED],
    ['/app/api/none', CLOSED],
    ['/docs', 'self'],
    ['/docs/', 'self'],
    ['/docs/records', 'self'],
    ['/docs/reference.css', 'self'],
    ['/app/', 'self'],
    ['/app/explore/x', 'self'],
    ['/app/badge.js', CLOSED],
  ])('of %s has a policy without unsafe sources and without other hosts', async (path, expected) => {
    const { headers } = await fetch(service.base + path);
    const policy = headers.get('content-security-policy') ?? '';
    if (expected === CLOSED) expect(policy).toBe(CLOSED);
    else expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    // Other sites may load only the badge from these paths.
    expect(headers.get('cross-origin-resource-policy')).toBe(
      path === '/app/badge.js' ? 'cross-origin' : 'same-origin',
    );
    if (headers.get('content-type')?.startsWith('text/html'))
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
  });

  it('has no Strict-Transport-Security header without a PUBLIC_URL with https', async () => {
    const plain = await startService(ANY_ENGINE);
    expect((await fetch(`${plain.base}/app/`)).headers.has('strict-transport-security')).toBe(false);
    await plain.stop();
  });
});
