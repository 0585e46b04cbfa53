import { setTimeout as sleep } from 'node:timers/promises';
import type { Onchain } from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readOnchain } from '../../anchors/anchors.sql.js';
import type { AppDeps } from '../app.js';
import { notePreference, readPreferences } from '../wire/preferences.js';
import { projectOf } from '../wire/principal-of.js';

const MAX_WAIT_SECONDS = 60;
const LOOK_MS = 200;

/**
 * Returns the anchor of a recorded action as `{onchain}`, or an empty object when there is none yet. With `Prefer:
 * wait=N` (RFC 7240 §4.3), waits up to N seconds, at most 60, until a block contains the anchor. It does not wait
 * in a project without anchoring, or while the service shuts down.
 */
export async function waitForAnchor(
  { records: { provenance }, anchoring }: Pick<AppDeps, 'records' | 'anchoring'>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  actionId: string,
): Promise<{ onchain?: Onchain }> {
  const { waitSeconds } = readPreferences(request.headers.prefer);
  const projectId = projectOf(request);
  if (anchoring === undefined || waitSeconds === undefined || !(await anchoring.anchors(projectId)))
    return {};
  const seconds = Math.min(waitSeconds, MAX_WAIT_SECONDS);
  notePreference(reply, `wait=${seconds}`);
  anchoring.wake(seconds * 1000);
  const untilMs = performance.now() + seconds * 1000;
  for (;;) {
    const onchain = await readOnchain(provenance, projectId, actionId);
    const isInBlock = onchain !== undefined && onchain.status !== 'submitted';
    const isOver = performance.now() >= untilMs || reply.raw.destroyed || anchoring.closing.aborted;
    if (isInBlock || isOver) return onchain === undefined ? {} : { onchain };
    await sleep(LOOK_MS);
  }
}
