import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Work } from '../management/usage-tally.js';
import type { App, AppNeeds } from './app.js';
import { whenClosed } from './caller-gone.js';

const NOTHING: Work = { bytesStored: 0, actionsRecorded: 0 };
/** The status, as proxies log it, of a call whose caller went away before the answer. */
const CALLER_LEFT = 499;

/** Counts every request whose key was recognised, whatever its answer, and also when nobody waits for that. */
export function meterUsage(app: App, needs: AppNeeds): void {
  // The framework tells of answers that were sent (onResponse), not of those whose caller went away.
  app.addHook('onRequest', (request, reply, done) => {
    whenClosed(reply, () => countCall(needs, request, reply));
    done();
  });
}

/** Tells what a request recorded. It counts also when its caller went away meanwhile. */
export function noteRecorded(request: FastifyRequest, recorded: Work): void {
  if (request.tellLate === undefined) request.recorded = recorded;
  else request.tellLate(recorded);
}

function countCall({ meter, management }: AppNeeds, request: FastifyRequest, reply: FastifyReply): void {
  const { holder, method, routeOptions, recorded } = request;
  if (holder === undefined) return;
  const { headersSent } = reply.raw;
  const call = {
    projectId: holder.projectId,
    keyId: holder.keyId,
    endpoint: `${method} ${routeOptions.url}`,
    status: headersSent ? reply.statusCode : CALLER_LEFT,
    at: new Date(),
  };
  const work = recorded ?? NOTHING;
  const { totals } = management.needs;
  meter.count({ ...call, ...work });
  totals.add(holder.projectId, { requestsThisMonth: 1, storedBytes: work.bytesStored });
  if (headersSent) return;
  request.tellLate = (late) => {
    meter.addWork({ ...call, ...late });
    totals.add(holder.projectId, { requestsThisMonth: 0, storedBytes: late.bytesStored });
  };
}
