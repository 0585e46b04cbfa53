import type { WebhookEvent } from '@colophon/model';
import { v7 as uuidv7 } from 'uuid';
import { listLiveWebhooks } from '../control/webhooks.sql.js';
import type { Tx } from '../platform/db/database.js';
import type { WebhookDeps } from './deps.js';
import {
  claimAnchors,
  claimFindings,
  type DueFeed,
  type LeafRange,
  listActionIds,
  listEventActions,
  lockFeed,
  moveFeed,
} from './feeds.sql.js';
import { type Missed, queueMessages } from './queue-messages.js';

/** Maximum number of leaves per event. An event with many contents covers fewer leaves. */
const LEAVES = 250;
/** Maximum number of inputs of an action in an event, and of outputs. */
const MAX_CIDS = 20;
/** Maximum number of anchors for which one step creates events. */
const ANCHORS = 10;
/** Maximum number of actions of an anchor in an event. */
const MAX_IDS = 1_000;
const FINDINGS = 100;

interface ProjectEvent {
  event: WebhookEvent;
  data: object;
}

/** `missed`: the webhooks that missed events, because they have too many pending deliveries. */
export interface EnqueuedEvents {
  isMoreDue: boolean;
  missed: Missed[];
}

/** Queues the next deliveries and moves the feed in one transaction. */
export async function enqueueProjectEvents(
  { control, provenance, backlogLimits: limits }: WebhookDeps,
  { projectId, size, hasAnchors, hasFindings }: DueFeed,
): Promise<EnqueuedEvents> {
  // The caller read `size` before, so a webhook that is missing here is newer than all leaves below `size`.
  const webhooks = await listLiveWebhooks(control, projectId);
  return provenance.transaction(
    async (tx) => {
      const feed = await lockFeed(tx, projectId);
      if (feed === undefined) return { isMoreDue: false, missed: [] };
      const range = { from: feed.queuedSize, to: Math.min(size, feed.queuedSize + LEAVES) };
      const { events: actionEvents, to } = await readActionEvents(tx, projectId, range);
      const projectEvents = [
        ...actionEvents,
        ...(hasAnchors ? await readAnchorEvents(tx, projectId, feed.sinceSize) : []),
        ...(hasFindings ? await readFindingEvents(tx, projectId) : []),
      ];
      const drafts = projectEvents.map((one) => ({ ...one, readBody: once(() => toBody(one, projectId)) }));
      const outgoing = webhooks.map(({ id, events }) => ({
        webhookId: id,
        messages: drafts
          .filter(({ event }) => events.includes(event))
          .map(({ event, readBody }) => ({
            isRare: event !== 'action.recorded',
            toMessage: () => ({ id: uuidv7(), webhookId: id, event, body: readBody() }),
          })),
      }));
      const due = outgoing.filter(({ messages }) => messages.length > 0);
      const missed = due.length === 0 ? [] : await queueMessages(tx, projectId, { outgoing: due, limits });
      if (to > feed.queuedSize) await moveFeed(tx, projectId, to);
      return { isMoreDue: to < size, missed };
    },
    { projectId },
  );
}

/** `to`: the end of the leaves that the event covers. */
async function readActionEvents(
  tx: Tx,
  projectId: string,
  range: LeafRange,
): Promise<{ events: ProjectEvent[]; to: number }> {
  if (range.from >= range.to) return { events: [], to: range.to };
  const { actions, to } = await listEventActions(tx, projectId, { ...range, maxCids: MAX_CIDS });
  return { events: actions.length === 0 ? [] : [{ event: 'action.recorded', data: { actions } }], to };
}

async function readAnchorEvents(tx: Tx, projectId: string, sinceSize: number): Promise<ProjectEvent[]> {
  const anchors = await claimAnchors(tx, projectId, { sinceSize, limit: ANCHORS });
  const projectEvents: ProjectEvent[] = [];
  for (const { from, to, ...anchor } of anchors) {
    const ids = await listActionIds(tx, projectId, { from, to, limit: MAX_IDS + 1 });
    if (ids.length === 0) continue;
    const actions = { actionIds: ids.slice(0, MAX_IDS), complete: ids.length <= MAX_IDS };
    projectEvents.push({ event: 'action.anchored', data: { anchor, leaves: { from, to }, ...actions } });
  }
  return projectEvents;
}

async function readFindingEvents(tx: Tx, projectId: string): Promise<ProjectEvent[]> {
  const findings = await claimFindings(tx, projectId, FINDINGS);
  return findings.length === 0 ? [] : [{ event: 'audit.mismatch', data: { findings } }];
}

/** The body has type, time and data, as Standard Webhooks recommends. All deliveries of the event have this body. */
export function toBody({ event, data }: { event: string; data: object }, projectId: string): string {
  return JSON.stringify({ type: event, timestamp: new Date().toISOString(), data: { projectId, ...data } });
}

function once(make: () => string): () => string {
  let made: string | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
