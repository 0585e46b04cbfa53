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
 * Where a recorded action is anchored, as `{onchain}`; nothing when it is not yet. With `Prefer: wait=N` (RFC 7240
 * §4.3) it is waited for up to N seconds, at most 60, until it is in a block; the record is durable meanwhile.
 * Nothing is waited for in a project that is not anchored, nor once the service closes.
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
