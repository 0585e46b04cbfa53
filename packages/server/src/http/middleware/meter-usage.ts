import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Work } from '../../management/usage-tally.js';
import type { App, AppDeps } from '../app.js';
import { whenClosed } from '../wire/caller-signal.js';

const NOTHING: Work = { bytesStored: 0, actionsRecorded: 0 };
/** Status of a request whose caller disconnected before the response; proxies log the same number. */
const CALLER_LEFT = 499;
/** Key id for the usage of all signed-in users of the page. */
const PAGE = 'page';

/** Counts every request of a key or member, even when it fails or its caller disconnects. */
export function meterUsage(app: App, deps: AppDeps): void {
  // `onResponse` does not run when the caller disconnects before the response.
  app.addHook('onRequest', (request, reply, done) => {
    whenClosed(reply, () => countCall(deps, request, reply));
    done();
  });
}

/** Counts the records of a request, even when its caller has disconnected. */
export function noteRecorded(request: FastifyRequest, recorded: Work): void {
  if (request.meterLate === undefined) request.recorded = recorded;
  else request.meterLate(recorded);
}

function countCall(
  { meter, management }: Pick<AppDeps, 'meter' | 'management'>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { principal, method, routeOptions, recorded } = request;
  if (principal === undefined) return;
  const { headersSent } = reply.raw;
  const call = {
    projectId: principal.projectId,
    keyId: 'keyId' in principal ? principal.keyId : PAGE,
    endpoint: `${method} ${routeOptions.url}`,
    status: headersSent ? reply.statusCode : CALLER_LEFT,
    at: new Date(),
  };
  const work = recorded ?? NOTHING;
  const { totals } = management.deps;
  meter.count({ ...call, ...work });
  totals.add(principal.projectId, { requestsThisMonth: 1, storedBytes: work.bytesStored });
  if (headersSent) return;
  request.meterLate = (late) => {
    meter.addWork({ ...call, ...late });
    totals.add(principal.projectId, { requestsThisMonth: 0, storedBytes: late.bytesStored });
  };
}
