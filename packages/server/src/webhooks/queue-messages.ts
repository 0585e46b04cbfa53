import type { Tx } from '../platform/db/database.js';
import { type Backlog, endMissed, forgetMissed, noteMissed, readBacklogs } from './backlog.sql.js';
import { forgetOldMessages, insertMessages, type Message } from './deliveries.sql.js';

/** Limits of the pending deliveries of one webhook. */
export interface BacklogLimits {
  deliveries: number;
  /** Limit of the total size of the bodies. The last stored body may exceed this limit. */
  bytes: number;
}

/** Rare events fit into a backlog until it reaches this multiple of a limit. */
const RARE_TIMES = 2;

/** `isRare`: events of this type are few, and a receiver cannot read missed ones later. */
export interface OutgoingEvent {
  isRare: boolean;
  toMessage(): Message;
}

export interface Outgoing {
  webhookId: string;
  messages: readonly OutgoingEvent[];
}

/** `isNew`: whether the events begin a new count of missed events. */
export interface Missed {
  webhookId: string;
  events: number;
  isNew: boolean;
}

/** Queues the deliveries that fit into the backlogs of their webhooks, and counts the other events as missed. */
export async function queueMessages(
  tx: Tx,
  projectId: string,
  { outgoing, limits }: { outgoing: readonly Outgoing[]; limits: BacklogLimits },
): Promise<Missed[]> {
  const webhookIds = outgoing.map(({ webhookId }) => webhookId);
  const backlogs = await readBacklogs(tx, projectId, { webhookIds, limit: RARE_TIMES * limits.deliveries });
  const fitted = backlogs.map((backlog) => fit(backlog, outgoing, limits));
  const messages = fitted.flatMap(({ stored }) => stored);
  if (messages.length > 0) {
    await insertMessages(tx, projectId, messages);
    await forgetOldMessages(tx, projectId);
    await forgetMissed(tx, projectId);
  }
  const ended = backlogs.filter((one) => one.isMissing && isShort(one, limits));
  if (ended.length > 0) {
    await endMissed(
      tx,
      projectId,
      ended.map(({ webhookId }) => webhookId),
    );
  }
  const missed = fitted
    .filter(({ events }) => events > 0)
    .map(({ webhookId, events }) => ({ webhookId, events }));
  const begun = missed.length === 0 ? [] : await noteMissed(tx, projectId, missed);
  return missed.map((one) => ({ ...one, isNew: begun.includes(one.webhookId) }));
}

/** Whether a backlog has reached a limit, so that only rare events fit. */
export const isFull = ({ deliveries, bytes }: Pick<Backlog, 'deliveries' | 'bytes'>, limits: BacklogLimits) =>
  deliveries >= limits.deliveries || bytes >= limits.bytes;

function fit(
  { webhookId, deliveries, bytes }: Backlog,
  outgoing: readonly Outgoing[],
  limits: BacklogLimits,
) {
  const messages = outgoing.find((one) => one.webhookId === webhookId)?.messages ?? [];
  const stored: Message[] = [];
  let size = bytes;
  for (const { isRare, toMessage } of messages) {
    const times = isRare ? RARE_TIMES : 1;
    if (deliveries + stored.length >= times * limits.deliveries || size >= times * limits.bytes) continue;
    const message = toMessage();
    size += Buffer.byteLength(message.body);
    stored.push(message);
  }
  return { webhookId, stored, events: messages.length - stored.length };
}

/** A count ends at half of the limits. Otherwise, each delivery near a limit would begin a new count. */
const isShort = ({ deliveries, bytes }: Backlog, limits: BacklogLimits) =>
  deliveries <= limits.deliveries / 2 && bytes <= limits.bytes / 2;
