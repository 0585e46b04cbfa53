import { setTimeout as sleep } from 'node:timers/promises';
import type { Onchain } from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readOnchain } from '../anchors/anchors.sql.js';
import type { AppNeeds } from './app.js';
import { projectOf } from './routes/holder.js';

const MAX_WAIT_SECONDS = 60;
const LOOK_MS = 200;

/**
 * Where a recorded action is anchored, as `{onchain}`; nothing when it is not yet. With `Prefer: wait=N` (RFC 7240
 * §4.3) it is waited for up to N seconds, at most 60, until it is in a block; the record is durable meanwhile.
 * Nothing is waited for in a project that is not anchored, nor once the service closes.
 */
export async function waitForAnchor(
  { records: { provenance }, anchoring }: AppNeeds,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  actionId: string,
): Promise<{ onchain?: Onchain }> {
  const seconds = readWait(request.headers.prefer);
  const projectId = projectOf(request);
  if (anchoring === undefined || seconds === undefined || !(await anchoring.anchors(projectId))) return {};
  reply.header('preference-applied', `wait=${seconds}`);
  anchoring.wake();
  const untilMs = performance.now() + seconds * 1000;
  for (;;) {
    const onchain = await readOnchain(provenance, projectId, actionId);
    const isInBlock = onchain !== undefined && onchain.status !== 'submitted';
    const isOver = performance.now() >= untilMs || reply.raw.destroyed || anchoring.closing.aborted;
    if (isInBlock || isOver) return onchain === undefined ? {} : { onchain };
    await sleep(LOOK_MS);
  }
}

/** The seconds of the preference `wait`; undefined when there is none that can be read. */
function readWait(header: string | string[] | undefined): number | undefined {
  for (const preference of String(header ?? '').split(',')) {
    const [, digits] = /^\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:;.*)?$/i.exec(preference) ?? [];
    if (digits !== undefined) return Math.min(Number(digits), MAX_WAIT_SECONDS);
  }
  return undefined;
}
