import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNamedProjectKey } from '../../src/access/create-key.js';
import { allowDetection } from '../support/media-form.js';
import {
  jsonPost,
  KEY,
  MANAGEMENT_KEY,
  RECORD_ENGINES,
  type Service,
  startService,
} from '../support/service.js';
import { type Call, type CallTerms, callsOf } from './calls.js';
import { type ManagedWorld, makeManagedWorld } from './managed-world.js';
import { type Answer, answerFault, errorFault, type Operation, readOperations } from './operations.js';
import { makePageWorld, NO_PAGE_WORLD } from './page-world.js';
import { sendCall } from './send-call.js';
import { recordWorld, type World } from './world.js';

const MAX_UPLOAD_BYTES = 2_000_000;
const NAMES = Object.keys(
  callsOf({
    world: { cursors: {} } as World,
    managed: { spareKeyIds: ['', ''], webhookIds: ['', ''] } as unknown as ManagedWorld,
    page: NO_PAGE_WORLD,
    tooLarge: new Uint8Array(),
  }),
);

describe.each(RECORD_ENGINES)('the API on %s', (engine) => {
  let service: Service;
  let readerKey: string;
  let operations: Operation[];
  let calls: Record<string, Call[]>;

  beforeAll(async () => {
    service = await startService(engine, {
      environment: {
        MAX_UPLOAD_BYTES: String(MAX_UPLOAD_BYTES),
        MAX_MEDIA_BYTES: String(MAX_UPLOAD_BYTES),
        PUBLIC_LOGS: 'all',
        PUBLIC_DETECTOR: 'true',
        PUBLIC_DETECTOR_RPM: '1000',
        PUBLIC_DETECTOR_BYTES: String(MAX_UPLOAD_BYTES),
      },
    });
    const world = await recordWorld(service, KEY);
    await allowDetection(service);
    await service.send('/v1/publications', jsonPost({ cid: world.signedCid, withhold: [], titles: true }));
    const managed = await makeManagedWorld(service);
    const page = await makePageWorld(service);
    const options: CallTerms = { world, managed, page, tooLarge: new Uint8Array(MAX_UPLOAD_BYTES + 1) };
    calls = callsOf(options);
    operations = readOperations(await (await fetch(`${service.base}/openapi.json`)).json());
    const reader = { projectName: 'one', name: 'reader', permission: 'read' } as const;
    readerKey = (await createNamedProjectKey(service.context.databases.control, reader)).key;
  });
  afterAll(() => service.stop());

  const operationNamed = (name: string) => {
    const found = operations.find((operation) => operation.name === name);
    if (found === undefined) throw new Error(`${name} is not documented`);
    return found;
  };

  async function send(method: string, { as, ...call }: Call): Promise<Answer> {
    const key = { nobody: undefined, reader: readerKey, owner: KEY, manager: MANAGEMENT_KEY }[as ?? 'owner'];
    const answer = await sendCall(service.base, { ...call, method, key });
    return {
      status: answer.status,
      mediaType: answer.headers.get('content-type') ?? undefined,
      requestId: answer.headers.get('x-request-id') ?? undefined,
      text: await answer.text(),
    };
  }

  it('has only documented operations, and this test calls each of them', () => {
    expect(NAMES.toSorted()).toEqual(operations.map(({ name }) => name).toSorted());
  });

  it.each(NAMES)(
    '%s returns each documented status that a request can cause, and every answer matches the document',
    async (name) => {
      const operation = operationNamed(name);
      for (const call of calls[name] ?? []) {
        const answer = await send(operation.method, call);
        const about = `${call.target} ${JSON.stringify(call.json)?.slice(0, 200)}`;
        expect([answer.status, answerFault(operation, answer)], about).toEqual([call.status, undefined]);
        if (answer.status >= 400 && operation.method !== 'HEAD')
          expect(errorFault(answer), about).toBeUndefined();
      }
      const statuses = new Set(calls[name]?.map(({ status }) => status));
      const lacking = [...operation.answers.keys()].filter((status) => !statuses.has(status));
      expect(lacking.filter((status) => !isOutOfReach(operation, status))).toEqual([]);
    },
  );
});

/** Whether no single request can cause the status. */
function isOutOfReach({ name, method }: Operation, status: number): boolean {
  if (status >= 500 || status === 408 || status === 429) return true;
  if (method === 'GET' && (status === 403 || status === 415)) return true;
  return IMPOSSIBLE.includes(`${name} ${status}`);
}

/** No request of this test can cause these statuses. */
const IMPOSSIBLE = [
  'POST /v1/attribution 409',
  // Needs a record that was altered in the database.
  'DELETE /v1/entity/{id}/personal-data 409',
  'POST /public/detect 404',
  'GET /public/c2pa/matches/byBinding 404',
  'POST /public/c2pa/matches/byBinding 404',
  'POST /public/c2pa/matches/byContent 404',
  'GET /public/c2pa/services/supportedAlgorithms 404',
  'GET /public/c2pa/manifests/{manifestId} 406',
  'GET /public/labels/{icon}.svg 406',
  'GET /v1/resource/{cid}/content 406',
  'GET /v1/resource/{cid}/thumbnail 406',
  'GET /v1/log/checkpoint 406',
  'GET /v1/log/tile/{level}/{tile}/{width} 406',
  // A full tile needs 256 records.
  'GET /v1/log/tile/{level}/{tile} 200',
  'GET /v1/log/tile/{level}/{tile} 304',
  'GET /v1/log/tile/{level}/{tile} 406',
  'GET /log/{id}/checkpoint 406',
  'GET /log/{id}/tile/{level}/{tile} 200',
  'GET /log/{id}/tile/{level}/{tile} 406',
  'GET /log/{id}/tile/{level}/{tile}/{width} 406',
  ...['action', 'entity', 'attribution'].flatMap((kind) =>
    [200, 304, 406].map((status) => `GET /v1/${kind}/{id}/timestamp ${status}`),
  ),
  // An unknown input is 404 only with enforced proofs.
  'POST /v1/activity 404',
  'POST /activity 404',
  'POST /search/file 403',
  'POST /search/text 403',
  'POST /search/text 200',
  'POST /search/text/vector 403',
  'POST /search/text/vector 200',
  'POST /media/read 403',
  'POST /media/verify 403',
  // Needs a concurrent request.
  'POST /v1/publications 409',
  // Needs a publication that was revoked more than a minute ago.
  'POST /v1/publications/{id}/restore 409',
  'GET /app/api/public/{id}/picture 406',
  'POST /v1/resource/{cid}/ownership/claim 409',
  'POST /v1/resource/{cid}/ownership/transfer 409',
  'POST /resource/{cid}/ownership/transfer 409',
  'POST /distribution/preview 403',
  'POST /v1/distribution/preview 403',
  'POST /v1/media/extract 403',
  'POST /v1/media/verify 403',
  'GET /app/api/session 401',
  'POST /app/api/accounts 401',
  'POST /app/api/invitation-checks 401',
  'PUT /management/users/me 403',
  'POST /management/projects/{id}/webhooks/{webhookId}/ping 409',
  'POST /management/orgs 403',
  'POST /management/auth/validate-key 403',
  'POST /v1/titles 403',
  'POST /v1/search/file 403',
  'POST /v1/search/text 403',
  'POST /v1/search/text 200',
  'POST /v1/search/vector 403',
  'POST /v1/c2pa/matches/byBinding 403',
  'POST /v1/c2pa/matches/byContent 403',
  'GET /v1/c2pa/manifests/{manifestId} 406',
];
