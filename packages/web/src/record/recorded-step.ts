import {
  type Action,
  AI_EXTENSION,
  type Entity,
  findCorrections,
  lastCorrection,
  licenseOf,
} from '@colophon/model';
import type { CallOptions, Client } from '@colophon/sdk';
import { isAbsent } from '../shell/absent-content.js';
import { nameContent, shortCid } from '../shell/short-labels.js';
import { statesNoAi } from '../shell/states-no-ai.js';
import type { Titles } from '../shell/use-titles.js';
import { type Draft, EMPTY, TYPES, toLocal } from './draft.js';

/** A recorded step with the data that the form shows. */
export interface RecordedStep {
  action: Action;
  /** Undefined if the service does not know the performer. */
  performer: Entity | undefined;
  /** The performer's note; empty for none. */
  note: string;
  /** The name of the content: its title, or the end of its CID. */
  name: string;
  /** The titles of the source files. */
  titles: Titles;
}

/**
 * Reads a step of the content `cid`, or its last correction. A link from an earlier view can name a step that was
 * corrected since, and a further correction of this step would not count.
 */
export async function readStep(
  { actions, attributions, entities, histories, resources }: Client,
  { actionId, cid }: { actionId: string; cid: string },
): Promise<RecordedStep> {
  const corrections = await readCorrections(histories, cid);
  const action = await actions.get(lastCorrection(corrections, actionId));
  const entityId = action.performedBy;
  const [performer, page, titles] = await Promise.all([
    entities.get(entityId).catch(ignoreAbsent),
    attributions.list({ actionId: action.id, entityId }),
    resources.titles([...new Set([cid, ...action.inputCids])]),
  ]);
  const note = page.attributions.find((one) => one.note !== undefined)?.note ?? '';
  return { action, performer, note, name: titles[cid] ?? shortCid(cid), titles };
}

/**
 * Returns the last correction of a step if another action than `ownId` corrects the step. A further correction of this
 * step would not count. `ownId`: the action that is about to correct it, which an earlier attempt can have recorded.
 */
export async function findOtherCorrection(
  { histories }: Pick<Client, 'histories'>,
  { cid, actionId, ownId }: { cid: string; actionId: string; ownId: string },
  options?: CallOptions,
): Promise<string | undefined> {
  const corrections = await readCorrections(histories, cid, options);
  const first = corrections.get(actionId);
  return first === undefined || first === ownId ? undefined : lastCorrection(corrections, actionId);
}

/** Reads the corrections of the actions that made a content. Each of these actions has the content as an output. */
async function readCorrections(
  histories: Client['histories'],
  cid: string,
  options?: CallOptions,
): Promise<ReadonlyMap<string, string>> {
  const { actions, aliases } = await histories.bundle(cid, { depth: 1 }, options);
  return findCorrections(actions, aliases);
}

function ignoreAbsent(error: unknown): undefined {
  if (!isAbsent(error)) throw error;
}

/** Returns the values of a step for the form. The form shows an empty field for a value that it cannot show. */
export function toCorrectingDraft({ action, performer, note, titles }: RecordedStep): Partial<Draft> {
  const ai = action.extensions[AI_EXTENSION];
  const parts = [action.aiTool, ai, memberOf(ai, 'tool')];
  return {
    corrected: { actionId: action.id, timestamp: action.timestamp, outputCids: action.outputCids },
    entityId: performer?.id ?? '',
    type: TYPES.find((type) => type === action.type) ?? EMPTY.type,
    provider: textOf(parts, 'provider'),
    model: textOf(parts, 'model'),
    prompt: textOf(parts, 'prompt'),
    noAi: statesNoAi(action),
    note,
    madeAt: toLocal(action.timestamp),
    license: licenseOf(action) ?? '',
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
