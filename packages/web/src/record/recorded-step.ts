import {
  type Action,
  AI_EXTENSION,
  type Attribution,
  type Bundle,
  type Entity,
  findCorrections,
  lastCorrection,
  licenseOf,
  namedCorrection,
} from '@colophon/model';
import type { CallOptions, Client } from '@colophon/sdk';
import { isAbsent } from '../shell/absent-content.js';
import { nameContent, shortCid } from '../shell/short-labels.js';
import { statesNoAi } from '../shell/states-no-ai.js';
import type { Titles } from '../shell/use-titles.js';
import { type CorrectedStep, type Draft, toLocal } from './draft.js';

export interface RecordedStep {
  action: Action;
  /** The record states a time of its own, not only that of the recording. */
  statesTime: boolean;
  /** Undefined if the service does not know the performer. */
  performer: Entity | undefined;
  /** Empty for none. */
  note: string;
  /** See `CorrectedStep`. */
  credit?: CorrectedStep['credit'];
  /** The title of the content, or the end of its CID. */
  name: string;
  titles: Titles;
}

/** Reads a step, or its last correction, because a correction of a corrected step would not count. */
export async function readStep(
  { actions, attributions, entities, histories, resources }: Client,
  { actionId, cid }: { actionId: string; cid: string },
): Promise<RecordedStep> {
  const { actions: steps, aliases } = await readSteps(histories, cid);
  const action = await actions.get(lastCorrection(findCorrections(steps, aliases), actionId));
  const entityId = action.performedBy;
  const [performer, page, titles] = await Promise.all([
    entities.get(entityId).catch(ignoreAbsent),
    attributions.list({ actionId: action.id, entityId }),
    resources.titles([...new Set([cid, ...action.inputCids])]),
  ]);
  const note = page.attributions.find((one) => one.note !== undefined)?.note ?? '';
  const credit = creditOf(page.attributions);
  const statesTime = hasOwnTime(action, steps);
  return { action, statesTime, performer, note, credit, name: titles[cid] ?? shortCid(cid), titles };
}

/** Returns the first credit with a weight, or else the first one with extensions. */
function creditOf(attributions: readonly Attribution[]): CorrectedStep['credit'] {
  const isExtended = ({ extensions = {} }: Attribution) => Object.keys(extensions).length > 0;
  const found = attributions.find(({ weight }) => weight !== undefined) ?? attributions.find(isExtended);
  if (found === undefined) return undefined;
  const { entityId, weight } = found;
  return { entityId, weight, extensions: isExtended(found) ? found.extensions : undefined };
}

/**
 * Maximum difference of `timestamp` and `recordedAt` if the entry states no time: the service then sets `timestamp`.
 */
const MAX_RECORDING_MS = 60_000;

/**
 * Whether an action states a time of its own. A correction with the time of the corrected action has the same result.
 * `steps`: the other actions.
 */
export function hasOwnTime(action: Action, steps: readonly Action[]): boolean {
  const [said, recorded] = [Date.parse(action.timestamp), Date.parse(action.recordedAt)];
  if (Math.abs(recorded - said) <= MAX_RECORDING_MS) return false;
  const id = namedCorrection(action);
  const corrected = steps.find((step) => step.id === id && Date.parse(step.recordedAt) < recorded);
  return corrected?.timestamp === action.timestamp ? hasOwnTime(corrected, steps) : true;
}

/**
 * Returns the last correction if another action than `ownId` corrects the step. `ownId`: the correction that the page
 * is about to record, which an earlier attempt may have recorded.
 */
export async function findOtherCorrection(
  { histories }: Pick<Client, 'histories'>,
  { cid, actionId, ownId }: { cid: string; actionId: string; ownId: string },
  options?: CallOptions,
): Promise<string | undefined> {
  const { actions, aliases } = await readSteps(histories, cid, options);
  const corrections = findCorrections(actions, aliases);
  const first = corrections.get(actionId);
  return first === undefined || first === ownId ? undefined : lastCorrection(corrections, actionId);
}

function readSteps(
  histories: Client['histories'],
  cid: string,
  options?: CallOptions,
): Promise<Pick<Bundle, 'actions' | 'aliases'>> {
  return histories.bundle(cid, { depth: 1 }, options);
}

function ignoreAbsent(error: unknown): undefined {
  if (!isAbsent(error)) throw error;
}

/** The correction keeps the values that the form does not show. */
export function toCorrectingDraft(step: RecordedStep): Partial<Draft> {
  const { action, statesTime, performer, note, credit, titles } = step;
  const madeAt = statesTime ? toLocal(action.timestamp) : '';
  const { id: actionId, timestamp, outputCids, type, aiTool, extensions, sessionId } = action;
  const ai = action.extensions[AI_EXTENSION];
  const parts = [action.aiTool, ai, memberOf(ai, 'tool')];
  const shown = {
    provider: textOf(parts, 'provider'),
    model: textOf(parts, 'model'),
    prompt: textOf(parts, 'prompt'),
    license: licenseOf(action) ?? '',
  };
  const recorded = { type, aiTool, extensions, sessionId };
  return {
    ...shown,
    corrected: { actionId, timestamp, madeAt, outputCids, recorded, credit, shown },
    entityId: performer?.id ?? '',
    type,
    noAi: statesNoAi(action),
    note,
    madeAt,
    inputs: action.inputCids.map((cid) => ({ cid, name: nameContent(cid, titles) })),
  };
}

function textOf(parts: readonly unknown[], name: string): string {
  const values = parts.map((part) => memberOf(part, name));
  return values.find((value) => typeof value === 'string') ?? '';
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
