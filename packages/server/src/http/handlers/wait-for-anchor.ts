import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Found } from '../../anchors/onchain-waits.js';
import type { AppDeps } from '../app.js';
import { notePreference, readPreferences } from '../wire/preferences.js';
import { projectOf } from '../wire/principal-of.js';

const MAX_WAIT_SECONDS = 60;

/**
 * With `Prefer: wait=N` (RFC 7240 §4.3), waits up to N seconds, at most 60, until a block contains the anchor of an
 * action. Returns an empty object when there is no anchor yet, and at once in a project with MAX_PROJECT_WAITS waiting
 * requests.
 */
export async function waitForAnchor(
  { anchoring }: Pick<AppDeps, 'anchoring'>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  actionId: string,
): Promise<Found> {
  const { waitSeconds } = readPreferences(request.headers.prefer);
  const projectId = projectOf(request);
  if (anchoring === undefined || waitSeconds === undefined || !(await anchoring.anchors(projectId)))
    return {};
  const seconds = Math.min(waitSeconds, MAX_WAIT_SECONDS);
  const untilMs = performance.now() + seconds * 1000;
  const isOver = () => performance.now() >= untilMs || reply.raw.destroyed || anchoring.closing.aborted;
  const found = anchoring.waits.wait(projectId, { actionId, isOver });
  if (found === undefined) return {};
  notePreference(reply, `wait=${seconds}`);
  anchoring.wake(seconds * 1000);
  return found;
}
