import type { Database } from '../platform/db/database.js';
import type { ChangedProjects } from './changes.sql.js';
import { type PinningColumns, readPinningColumns } from './project-settings.sql.js';
import type { Sealer } from './seal-secret.js';
import type { ChangeWatch } from './watch-changes.js';
import { createWatchedCache } from './watched-cache.js';

export interface PinningSettings extends Omit<PinningColumns, 'sealedIpfsKey'> {
  /** Throws `Unavailable` if the decryption fails. */
  openKey(): string | undefined;
}

export interface PinningSettingsCache {
  read(projectId: string): Promise<PinningSettings>;
  /** By default, removes the settings of all projects. */
  clear(projectIds?: ChangedProjects): void;
}

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
  const cache = createWatchedCache<PinningColumns>(
    {
      async look(projectId) {
        const found = await readPinningColumns(control, projectId);
        return found && { found, expiresAt: null };
      },
      projectOf: (projectId) => projectId,
    },
    watch,
  );
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

/** A secret that is copied to the row of another project cannot be decrypted. */
export function pinningKeyContext(projectId: string): string {
  return `project ${projectId} pinning key`;
}
