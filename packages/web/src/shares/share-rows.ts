import {
  type Bundle,
  correctedActions,
  type Distribution,
  lineagePath,
  listShareRecords,
  type ShareRecords,
} from '@colophon/model';
import { formatDecimal } from '../languages/formats.js';
import { nameAction } from '../shell/name-action.js';
import type { Titles } from '../shell/use-titles.js';
import { history } from '../strings/history.js';
import { shares } from '../strings/shares.js';

/** `earned`: with the path to each content that earned a part. */
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
  bundle: Omit<Bundle, 'resources'>,
  titles: Titles = {},
): ShareRow[] {
  const label = (cid: string) => {
    const title = titles[cid];
    if (cid === distribution.cid) return shares.itself;
    return title === undefined ? shares.content(cid.slice(-6)) : history.titled(title);
  };
  const nameFile = (cid: string) => {
    const title = titles[cid];
    if (cid === distribution.cid) return history.thisFile;
    return title === undefined ? history.file(cid.slice(-6)) : history.titled(title);
  };
  const sayReason = createSayReason(distribution, bundle, nameFile);
  return distribution.shares.map(({ entityId, share, earned, wallet }) => ({
    entityId,
    name: nameOf(bundle, entityId),
    units: share,
    percent: toPercent(share, distribution.total),
    hasWallet: wallet !== undefined,
    earned: earned.map(({ cid, units }) => ({
      cid,
      percent: toPercent(units, distribution.total),
      description: sayReason(entityId, cid),
      way: (lineagePath(distribution, cid) ?? [cid]).map(label),
    })),
  }));
}

/** A reason states only the number of further steps. */
const MAX_STEPS = 2;

/** Says why an entity has a share: its steps that made the content, or else its credit, or else the content's name. */
function createSayReason(
  distribution: Distribution,
  bundle: Omit<Bundle, 'resources'>,
  nameFile: (cid: string) => string,
): (entityId: string, cid: string) => string {
  const { entities } = bundle;
  const actions = new Map(bundle.actions.map((action) => [action.id, action]));
  const records = listShareRecords(bundle, distribution);
  return (entityId, cid) => {
    const { actionIds = [], attributions = [] } = records.get(cid) ?? {};
    const made = actionIds.flatMap((id) => actions.get(id) ?? []);
    const steps = made.filter(({ performedBy }) => performedBy === entityId);
    const said = steps.slice(0, MAX_STEPS).map((step) => nameAction(step, bundle, nameFile(cid)));
    const left = steps.length - MAX_STEPS;
    if (left > 0) said.push(shares.moreSteps(left));
    if (said.length > 0) return said.join('; ');
    const credit = attributions.find((one) => one.entityId === entityId);
    return credit === undefined
      ? nameFile(cid)
      : sayCredit(credit, nameOf({ entities }, entityId), nameFile(cid));
  };
}

function sayCredit({ role, note }: ShareRecords['attributions'][number], name: string, what: string): string {
  const roles: Readonly<Partial<Record<string, (name: string, what: string) => string>>> = shares.credited;
  const said = (roles[role] ?? shares.credited.other)(name, what);
  return note === undefined ? said : `${said}: ${note}`;
}

function nameOf({ entities }: Pick<Bundle, 'entities'>, entityId: string): string {
  return entities.find(({ id }) => id === entityId)?.name ?? entityId;
}

/** Counts the sources that no recorded action made, and for which nobody is credited. */
export function countUnmade(
  { cid: own, contents }: Distribution,
  { actions, aliases = {} }: Pick<Bundle, 'actions' | 'aliases'>,
): number {
  const valid = listUncorrected({ actions, aliases });
  const made = new Set(valid.flatMap(({ outputCids }) => outputCids.map((cid) => aliases[cid] ?? cid)));
  return contents.filter(({ cid, basis }) => cid !== own && basis === 'nobody' && !made.has(cid)).length;
}

/** Whether makers share a content equally because no record has a weight for it. */
export function isSharedByDefault({ contents, shares }: Distribution): boolean {
  const unweighted = new Set(contents.filter(({ basis }) => basis === 'default').map(({ cid }) => cid));
  const earned = shares.flatMap((share) => share.earned.map(({ cid }) => cid));
  const ofDefault = earned.filter((cid) => unweighted.has(cid));
  return new Set(ofDefault).size < ofDefault.length;
}

function listUncorrected({ actions, aliases }: Pick<Bundle, 'actions' | 'aliases'>): Bundle['actions'] {
  const corrected = correctedActions(actions, aliases);
  return actions.filter(({ id }) => !corrected.has(id));
}

function toPercent(units: number, total: number): string {
  return shares.percent(formatDecimal((units * 100) / total, 2));
}
