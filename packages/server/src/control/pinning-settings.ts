import type { Database } from '../platform/db/database.js';
import { type PinningColumns, readPinningColumns } from './project-settings.sql.js';
import type { Sealer } from './seal-secret.js';
import type { ChangeWatch } from './watch-changes.js';
import { createWatchedCache } from './watched-cache.js';

/** Settings of a project for pinning its content. */
export interface PinningSettings extends Omit<PinningColumns, 'sealedIpfsKey'> {
  /** Returns the decrypted secret of the project's own service. Throws `Unavailable` when it cannot be opened. */
  openKey(): string | undefined;
}

/** Reads the pinning settings of projects and caches them until something changes. */
export interface PinningSettingsCache {
  read(projectId: string): Promise<PinningSettings>;
  clear(): void;
}

/** The settings of a missing project: none of its own. */
const NONE: PinningColumns = {
  storageType: null,
  ipfsProvider: null,
  ipfsGateway: null,
  sealedIpfsKey: null,
};

export function createPinningSettings(
  control: Database,
  sealer: Sealer | undefined,
  watch: ChangeWatch,
): PinningSettingsCache {
  const cache = createWatchedCache<PinningColumns>(async (projectId) => {
    const found = await readPinningColumns(control, projectId);
    return found && { found, expiresAt: null };
  }, watch);
  return {
    async read(projectId) {
      const { sealedIpfsKey, ...columns } = (await cache.read(projectId)) ?? NONE;
      const openKey = () =>
        sealedIpfsKey === null ? undefined : sealer?.open(sealedIpfsKey, pinningKeyContext(projectId));
      return { ...columns, openKey };
    },
    clear: cache.clear,
  };
}

/**
 * Returns the context that the secret of a pinning service is sealed for. The row of another project does not open
 * it.
 */
export function pinningKeyContext(projectId: string): string {
  return `project ${projectId} pinning key`;
}
