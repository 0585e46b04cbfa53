import * as z from 'zod';
import { lenientList, lenientText } from './lenient-fields.js';
import { present } from './present.js';

const MAX_CODES = 10_000;

/** The most important kind comes first. Beyond `MAX_CODES` codes, successes are dropped first and failures last. */
const KINDS = ['failure', 'informational', 'success'] as const;

/** Schema of a validation status of C2PA (C2PA 2.3 §15.2). */
export const statusCodeSchema = z
  .object({
    code: z.string(),
    kind: z.enum(['success', 'informational', 'failure']),
    url: z.string().optional().meta({ description: 'JUMBF URI of the checked part of the manifest store' }),
    explanation: z.string().optional(),
  })
  .meta({ id: 'C2paStatusCode' });

/** A validation status of C2PA. */
export type StatusCode = z.output<typeof statusCodeSchema>;

const rawCode = z.object({
  code: z.string().min(1).max(200),
  url: lenientText(),
  explanation: lenientText(),
});

const rawResults = z.object({ success: lenientList, informational: lenientList, failure: lenientList });

const rawDelta = z.object({ validationDeltas: rawResults });

const rawValidation = z.object({
  activeManifest: rawResults.optional().catch(undefined),
  ingredientDeltas: lenientList,
});

/**
 * Returns failures, then informational codes, then successes. In each kind, the codes of the active manifest come
 * first, and then those that differ from the recorded codes of an ingredient (`ingredientDeltas`). Stores of older
 * engines have only `validation_status`, a list of failures.
 */
export function statusCodesOf(
  results: unknown,
  failures: unknown[] = [],
): { codes: StatusCode[]; isComplete: boolean } {
  const validation = rawValidation.safeParse(results).data;
  const deltas = validation?.ingredientDeltas ?? [];
  const groups = [validation?.activeManifest, ...deltas.slice(0, MAX_CODES).map((delta) => deltaOf(delta))];
  const listed = KINDS.flatMap((kind) => groups.flatMap((group) => codesOfKind(kind, group?.[kind] ?? [])));
  const codes = validation === undefined ? codesOfKind('failure', failures) : listed;
  const lists =
    validation === undefined
      ? [failures]
      : groups.flatMap((group) => KINDS.map((kind) => group?.[kind] ?? []));
  return {
    codes: codes.slice(0, MAX_CODES),
    isComplete: codes.length <= MAX_CODES && deltas.length <= MAX_CODES && lists.every(isShort),
  };
}

function deltaOf(delta: unknown): z.output<typeof rawResults> | undefined {
  return rawDelta.safeParse(delta).data?.validationDeltas;
}

const isShort = ({ length }: readonly unknown[]) => length <= MAX_CODES;

function codesOfKind(kind: StatusCode['kind'], list: unknown[]): StatusCode[] {
  return list.slice(0, MAX_CODES + 1).flatMap((item) => {
    const { data } = rawCode.safeParse(item);
    if (data === undefined) return [];
    return [present({ code: data.code, kind, url: data.url, explanation: data.explanation })];
  });
}
