import {
  type Action,
  type ActivityRequest,
  AI_EXTENSION,
  type Attribution,
  CORRECTION_EXTENSION,
  type ExtensionsRequest,
  isAiKey,
  LICENSE_EXTENSION,
  MARK_EXTENSION,
  makesContent,
  readDisclosure,
  SERVER_ASSERTED_EXTENSIONS,
  toTitle,
  WITHOUT_AI,
} from '@colophon/model';
import { toCorrection } from '../shell/correction.js';
import { titleOfType } from '../shell/short-labels.js';
import { NEW_ME } from '../shell/use-me.js';
import type { Person } from '../shell/use-people.js';
import { record } from '../strings/record.js';

export const TYPES = ['create', 'generate', 'transform', 'aggregate', 'reference'] as const;
export const ROLES = ['human', 'ai', 'organization'] as const;

const MINUTE_MS = 60_000;

export interface Input {
  cid: string;
  name: string;
  /** Undefined for a recorded content. */
  fileName?: string;
}

export interface CorrectedStep {
  actionId: string;
  timestamp: string;
  /** The local time that the form shows at first; empty if the step states no time of its own. */
  madeAt: string;
  outputCids: readonly string[];
  /** Values that the form shows only in part, or not at all. */
  recorded: Pick<Action, 'type' | 'aiTool' | 'extensions' | 'sessionId'>;
  /** Undefined if the performer's credit has no weight and no extensions. */
  credit?: Pick<Attribution, 'entityId' | 'weight' | 'extensions'> | undefined;
  shown: Pick<Draft, 'provider' | 'model' | 'prompt' | 'license'>;
}

export interface Draft {
  /** Undefined if the draft corrects no step. */
  corrected: CorrectedStep | undefined;
  file: File | undefined;
  /** Undefined until the page knows it. */
  cid: string | undefined;
  /** The entries then become a further step of the recorded content. */
  isRecorded: boolean;
  /** The title. It begins with the name of the file, and is empty for no title. */
  title: string;
  /** Empty for a new person. */
  entityId: string;
  name: string;
  role: (typeof ROLES)[number];
  type: string;
  provider: string;
  model: string;
  prompt: string;
  /** The user states that no AI was used. */
  noAi: boolean;
  note: string;
  /** Local, such as `2026-11-21T09:30`; empty for the time of the request. */
  madeAt: string;
  license: string;
  inputs: readonly Input[];
  /** Names of source files from this device become titles. */
  namesSources: boolean;
}

export const EMPTY: Draft = {
  corrected: undefined,
  file: undefined,
  cid: undefined,
  isRecorded: false,
  title: '',
  entityId: '',
  name: '',
  role: 'human',
  type: 'create',
  provider: '',
  model: '',
  prompt: '',
  noAi: false,
  note: '',
  madeAt: '',
  license: '',
  inputs: [],
  namesSources: true,
};

/** Whether the request names an AI tool. With the statement that no AI was used, it names none. */
function usesAi(draft: Draft, role: string): boolean {
  const { type, provider, model, prompt } = draft;
  if (isWithoutAi(draft, role)) return false;
  return type === 'generate' || [provider, model, prompt].some((value) => value.trim() !== '');
}

/** Whether the user can state that no AI was used. */
export function mayStateNoAi({ type }: Draft, role: string): boolean {
  return role !== 'ai' && type !== 'generate' && makesContent(type);
}

export function isWithoutAi(draft: Draft, role: string): boolean {
  return draft.noAi && mayStateNoAi(draft, role);
}

/** Whether the draft adds a further maker to a recorded content. `makers`: ids of the recorded makers. */
export function addsMaker(draft: Draft, makers: readonly string[] = []): boolean {
  const { isRecorded, corrected, type, entityId } = draft;
  const isMaking = isRecorded && corrected === undefined && makesContent(type);
  return isMaking && makers.length > 0 && !makers.includes(entityId);
}

/** Removes the statement that no AI was used if the type or the performer no longer permits it. */
export function changeDraft(draft: Draft, part: Partial<Draft>, roles: ReadonlyMap<string, string>): Draft {
  const next = { ...draft, ...part };
  return { ...next, noAi: isWithoutAi(next, roles.get(next.entityId) ?? next.role) };
}

export function hasInput(draft: Draft): boolean {
  const { file, inputs, title, name, provider, model, prompt, note, madeAt, license } = draft;
  const texts = [title, name, provider, model, prompt, note, madeAt, license];
  return file !== undefined || inputs.length > 0 || texts.some((text) => text.trim() !== '');
}

/** Returns the names of the missing values, and of an invalid date. */
export function missingOf(draft: Draft, role: string): string[] {
  const { file, isRecorded, entityId, name, provider, model, madeAt } = draft;
  const needs: [boolean, string][] = [
    [file === undefined && !isRecorded, record.preview.needsFile],
    [entityId === '' && name.trim() === '', record.preview.needsName],
    [usesAi(draft, role) && provider.trim() === '', record.preview.needsProvider],
    [usesAi(draft, role) && model.trim() === '', record.preview.needsModel],
    [madeAt !== '' && toInstant(madeAt) === undefined, record.preview.needsDate],
  ];
  return needs.flatMap(([isMissing, what]) => (isMissing ? [what] : []));
}

/** `roles`: roles of the recorded entities by id. `me`: the signed-in user, who may not be recorded yet. */
export function toActivity(
  draft: Draft,
  roles: ReadonlyMap<string, string>,
  me?: Person | undefined,
): ActivityRequest {
  const { entityId, type, corrected, isRecorded } = draft;
  const role = roles.get(entityId) ?? draft.role;
  const title = draft.title.trim();
  const license = draft.license.trim();
  const isWithAi = usesAi(draft, role);
  const prompt = isWithAi ? draft.prompt.trim() : '';
  const timestamp = timestampOf(draft);
  const kept = isRecorded ? corrected : undefined;
  const aiTool = toTool(draft, kept);
  const { provider, model } = aiTool;
  const attribution = toCredit(draft, kept);
  const extensions = {
    ...(prompt === '' ? {} : { [AI_EXTENSION]: { provider, model, prompt } }),
    ...(isWithoutAi(draft, role) ? { [MARK_EXTENSION]: WITHOUT_AI } : {}),
    ...(license === '' ? {} : { [LICENSE_EXTENSION]: { type: license } }),
    ...(kept === undefined ? {} : keptExtensions(draft, kept, role)),
    ...(kept === undefined ? {} : toCorrection(kept.actionId)),
  };
  return {
    entity: toEntity(draft, role, me),
    action: {
      type,
      inputCids: otherInputs(draft).map(({ cid }) => cid),
      ...(isWithAi ? { aiTool } : {}),
      ...(Object.keys(extensions).length === 0 ? {} : { extensions }),
      ...(timestamp === undefined ? {} : { timestamp }),
      ...(kept?.recorded.sessionId === undefined ? {} : { sessionId: kept.recorded.sessionId }),
    },
    ...(Object.keys(attribution).length === 0 ? {} : { attribution }),
    // The service takes this title from the file name anyway. A node of an earlier version rejects `title`.
    ...(title === titleOfFile(draft.file) ? {} : { title: title === '' ? null : title }),
  };
}

/** Keeps weight and extensions of the corrected step if its performer is unchanged. */
function toCredit(
  { entityId, note }: Draft,
  kept: CorrectedStep | undefined,
): NonNullable<ActivityRequest['attribution']> {
  const { weight, extensions } = kept?.credit?.entityId === entityId ? kept.credit : {};
  return {
    ...(weight === undefined ? {} : { weight }),
    ...(extensions === undefined ? {} : { extensions }),
    ...(note.trim() === '' ? {} : { note: note.trim() }),
  };
}

function hasSame(draft: Draft, { shown }: CorrectedStep, names: readonly (keyof CorrectedStep['shown'])[]) {
  return names.every((name) => draft[name].trim() === shown[name].trim());
}

/** The same tool as in the corrected step keeps its version. */
function toTool(draft: Draft, kept: CorrectedStep | undefined): NonNullable<Action['aiTool']> {
  const tool = kept?.recorded.aiTool;
  if (tool !== undefined && kept !== undefined && hasSame(draft, kept, ['provider', 'model'])) return tool;
  return { provider: draft.provider.trim(), model: draft.model.trim() };
}

/**
 * Returns the extensions of the corrected step that the form does not show, and those that the user did not change.
 * Omits extensions that only the service sets, and the link to an earlier correction. If the draft states that no AI
 * was used, omits extensions about AI too. If it does not, omits a mark with this statement.
 */
function keptExtensions(draft: Draft, kept: CorrectedStep, role: string): ExtensionsRequest {
  const isKept = ([key, value]: [string, unknown]) => {
    if (key === CORRECTION_EXTENSION || SERVER_ASSERTED_EXTENSIONS.some((name) => key.startsWith(`${name}@`)))
      return false;
    if (isAiKey(key))
      return !isWithoutAi(draft, role) && hasSame(draft, kept, ['provider', 'model', 'prompt']);
    if (key === LICENSE_EXTENSION) return hasSame(draft, kept, ['license']);
    if (key !== MARK_EXTENSION) return true;
    return (readDisclosure(value) === null) === isWithoutAi(draft, role);
  };
  return Object.fromEntries(Object.entries(kept.recorded.extensions).filter(isKept));
}

/** The service creates the id of a new person. */
function toEntity(
  { entityId, name }: Draft,
  role: string,
  me: Person | undefined,
): ActivityRequest['entity'] {
  if (entityId === '') return { role, name: name.trim() };
  if (entityId !== NEW_ME) return { id: entityId, role };
  return { role, ...(me?.name === undefined ? {} : { name: me.name }) };
}

/** Returns undefined if the time of the request counts. */
function timestampOf({ madeAt, corrected, isRecorded }: Draft): string | undefined {
  // The form shows minutes, so an unchanged value keeps the exact time of the step.
  if (corrected !== undefined && isRecorded && madeAt === corrected.madeAt) return corrected.timestamp;
  return toInstant(madeAt);
}

/** Returns a local time without seconds; empty for a year outside 0 to 9999. */
export function toLocal(instant: string): string {
  const date = new Date(instant);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS);
  const text = Number.isNaN(local.getTime()) ? '' : local.toISOString();
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.exec(text)?.[0] ?? '';
}

/** Returns undefined for an invalid date or a UTC year outside 0 to 9999. */
function toInstant(local: string): string | undefined {
  const date = new Date(local);
  const instant = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  return /^\d{4}-/.test(instant) ? instant : undefined;
}

/** Maps the CID of a source to its title. */
export function sourceTitlesOf(draft: Draft): Map<string, string> {
  const titled = otherInputs(draft).flatMap(({ cid, fileName = '' }): [string, string][] => {
    const title = toTitle(fileName);
    return title === undefined ? [] : [[cid, title]];
  });
  return new Map(draft.namesSources ? titled : []);
}

export function typesOf({ type, corrected }: Pick<Draft, 'type' | 'corrected'>): string[] {
  return [...new Set([...TYPES, corrected?.recorded.type ?? type, type])];
}

export function nameType(type: string): string {
  const names: Readonly<Record<string, string>> = record.what.types;
  return names[type] ?? titleOfType(type);
}

/** Returns the type if it needs source files but the draft has none. */
export function typeWithoutSources(draft: Draft): 'transform' | 'aggregate' | undefined {
  const { type } = draft;
  return otherInputs(draft).length === 0 && (type === 'transform' || type === 'aggregate') ? type : undefined;
}

/** A content cannot be its own source. */
export function otherInputs({ inputs, cid }: Draft): Input[] {
  return inputs.filter((input) => input.cid !== cid);
}

export function withInputs(inputs: readonly Input[], more: readonly Input[]): Input[] {
  return [...new Map([...inputs, ...more].map((input) => [input.cid, input])).values()];
}

/** The result is empty for none. */
export function titleOfFile(file: File | undefined): string {
  return toTitle(file?.name ?? '') ?? '';
}
