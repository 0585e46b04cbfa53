import { listDeletedProjects } from '../control/webhooks.sql.js';
import type { WebhookDeps } from './deps.js';
import { endFeeds, listFeedProjects } from './feeds.sql.js';

/**
 * The deletion of a project also ends its feed. But it may be interrupted, or a new webhook may start the feed again.
 */
export async function endDeletedFeeds({
  control,
  provenance,
}: Pick<WebhookDeps, 'control' | 'provenance'>): Promise<void> {
  const deleted = await listDeletedProjects(control, await listFeedProjects(provenance));
  if (deleted.length > 0) await endFeeds(provenance, deleted);
}
