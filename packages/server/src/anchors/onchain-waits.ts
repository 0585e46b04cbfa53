import { setTimeout as sleep } from 'node:timers/promises';
import type { Onchain } from '@colophon/model';
import type { Database } from '../platform/db/database.js';
import { listOnchain } from './anchors.sql.js';

/** Requests that wait until a block contains the anchor of their action. */
export interface OnchainWaits {
  /**
   * Resolves to the anchor once a block contains it, or to the current state once `isOver` returns true. Undefined when
   * the project has the maximum number of waiting requests.
   */
  wait(projectId: string, waiter: { actionId: string; isOver: () => boolean }): Promise<Found> | undefined;
}

/** `onchain` is absent when the action has no anchor yet. */
export interface Found {
  onchain?: Onchain;
}

interface Waiting {
  actionId: string;
  isOver: () => boolean;
  resolve: (found: Found) => void;
  reject: (error: unknown) => void;
}

const LOOK_MS = 200;

/** All waiting requests of a project share one statement every 200 ms. */
export function createOnchainWaits(provenance: Database, maxPerProject: number): OnchainWaits {
  const projects = new Map<string, Set<Waiting>>();

  async function look(projectId: string, waiting: Set<Waiting>): Promise<void> {
    const looked = [...waiting];
    const ids = looked.map(({ actionId }) => actionId);
    const anchors = await listOnchain(provenance, projectId, ids);
    for (const one of looked) {
      const onchain = anchors.get(one.actionId);
      const isInBlock = onchain !== undefined && onchain.status !== 'submitted';
      if (!isInBlock && !one.isOver()) continue;
      waiting.delete(one);
      one.resolve(onchain === undefined ? {} : { onchain });
    }
  }

  async function lookUntilEmpty(projectId: string, waiting: Set<Waiting>): Promise<void> {
    try {
      for (;;) {
        await look(projectId, waiting);
        if (waiting.size === 0) return;
        await sleep(LOOK_MS);
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    } finally {
      projects.delete(projectId);
    }
  }

  return {
    wait(projectId, waiter) {
      const known = projects.get(projectId);
      if ((known?.size ?? 0) >= maxPerProject) return undefined;
      return new Promise<Found>((resolve, reject) => {
        const waiting = known ?? new Set<Waiting>();
        waiting.add({ ...waiter, resolve, reject });
        if (known !== undefined) return;
        projects.set(projectId, waiting);
        void lookUntilEmpty(projectId, waiting);
      });
    },
  };
}
