import { listDeletedProjects } from '../control/webhooks.sql.js';
import type { WebhookDeps } from './deps.js';
import { endFeeds, listFeedProjects } from './feeds.sql.js';

/**
 * Deletes the feeds of deleted projects. The deletion of a project also ends its feed. But a webhook that is created at
 * the same time can start the feed again. Also, the process can die after it deleted the project and before it ended
 * the feed.
 */
export async function endDeletedFeeds({
  control,
  provenance,
}: Pick<WebhookDeps, 'control' | 'provenance'>): Promise<void> {
  const deleted = await listDeletedProjects(control, await listFeedProjects(provenance));
  if (deleted.length > 0) await endFeeds(provenance, deleted);
}
