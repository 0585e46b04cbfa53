import { type Bundle, type Distribution, lineagePath } from '@colophon/model';
import { formatDecimal } from '../languages/formats.js';
import { nameAction } from '../shell/name-action.js';
import { shares } from '../strings/shares.js';

/** A share: the person, the percentage, and the path to each content. */
export interface ShareRow {
  entityId: string;
  name: string;
  units: number;
  percent: string;
  hasWallet: boolean;
  earned: { cid: string; percent: string; told: string; way: string[] }[];
}

export function toRows(
  distribution: Distribution,
  { actions, entities }: Pick<Bundle, 'actions' | 'entities'>,
): ShareRow[] {
  const makers = new Map(actions.flatMap((action) => action.outputCids.map((cid) => [cid, action] as const)));
  const label = (cid: string) => (cid === distribution.cid ? shares.itself : shares.content(cid.slice(-6)));
  const told = (cid: string) => {
    const action = makers.get(cid);
    return action === undefined ? label(cid) : `${label(cid)}: ${nameAction(action, entities)}`;
  };
  return distribution.shares.map(({ entityId, share, earned, wallet }) => ({
    entityId,
    name: entities.find(({ id }) => id === entityId)?.name ?? entityId,
    units: share,
    percent: toPercent(share, distribution.total),
    hasWallet: wallet !== undefined,
    earned: earned.map(({ cid, units }) => ({
      cid,
      percent: toPercent(units, distribution.total),
      told: told(cid),
      way: (lineagePath(distribution, cid) ?? [cid]).map(label),
    })),
  }));
}

function toPercent(units: number, total: number): string {
  return shares.percent(formatDecimal((units * 100) / total, 2));
}
