import { type Bundle, correctedActions, type Distribution, lineagePath } from '@colophon/model';
import { formatDecimal } from '../languages/formats.js';
import { nameAction } from '../shell/name-action.js';
import type { Titles } from '../shell/use-titles.js';
import { history } from '../strings/history.js';
import { shares } from '../strings/shares.js';

/** The share of a person: the percentage, and the path to each content that earned a part of it. */
export interface ShareRow {
  entityId: string;
  name: string;
  units: number;
  percent: string;
  hasWallet: boolean;
  earned: { cid: string; percent: string; description: string; way: string[] }[];
}

export function toRows(
  distribution: Distribution,
  { actions, aliases, entities }: Pick<Bundle, 'actions' | 'aliases' | 'entities'>,
  titles: Titles = {},
): ShareRow[] {
  const valid = listUncorrected({ actions, aliases });
  const makers = new Map(valid.flatMap((action) => action.outputCids.map((cid) => [cid, action] as const)));
  const label = (cid: string) => {
    const title = titles[cid];
    if (cid === distribution.cid) return shares.itself;
    return title === undefined ? shares.content(cid.slice(-6)) : history.titled(title);
  };
  const describe = (cid: string) => {
    const action = makers.get(cid);
    if (action === undefined) return label(cid);
    const title = titles[cid];
    const other = title === undefined ? history.file(cid.slice(-6)) : history.titled(title);
    return nameAction(action, entities, cid === distribution.cid ? history.thisFile : other);
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
      description: describe(cid),
      way: (lineagePath(distribution, cid) ?? [cid]).map(label),
    })),
  }));
}

/**
 * Returns the number of sources in the distribution that no recorded action made, and for which nobody is credited.
 * Corrected actions do not count.
 */
export function countUnmade(
  { cid: own, contents }: Distribution,
  { actions, aliases = {} }: Pick<Bundle, 'actions' | 'aliases'>,
): number {
  const valid = listUncorrected({ actions, aliases });
  const made = new Set(valid.flatMap(({ outputCids }) => outputCids.map((cid) => aliases[cid] ?? cid)));
  return contents.filter(({ cid, basis }) => cid !== own && basis === 'nobody' && !made.has(cid)).length;
}

function listUncorrected({ actions, aliases }: Pick<Bundle, 'actions' | 'aliases'>): Bundle['actions'] {
  const corrected = correctedActions(actions, aliases);
  return actions.filter(({ id }) => !corrected.has(id));
}

function toPercent(units: number, total: number): string {
  return shares.percent(formatDecimal((units * 100) / total, 2));
}
