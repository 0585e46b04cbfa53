import { type BatchInput, batchInputSchema, MAX_BATCH_RECORDS } from '@colophon/model';
import { z } from 'zod';
import { bodyFault, parseBody } from '../../body-fault.js';
import { mapYielding } from '../../platform/work/map-yielding.js';

const LISTS = ['entities', 'actions', 'attributions'] as const;
/** Number of records that the schema checks without a pause. For typical records, this takes about a millisecond. */
const STEP = 16;

interface Step {
  list: (typeof LISTS)[number];
  from: number;
  records: unknown;
}

/**
 * Checks a batch by its schema, in steps between which other requests run. Throws the same `ValidationError` as a check
 * in one step; `details` may have another order. Rejects with the reason of `signal` when it aborts.
 */
export async function parseBatch(body: unknown, signal: AbortSignal): Promise<BatchInput> {
  const { entities = [], actions = [], attributions = [], ...others } = Object(body);
  const lists = { entities, actions, attributions };
  const steps = LISTS.flatMap((list) => toSteps(list, lists[list]));
  if (steps.length < 2) return parseBody(batchInputSchema, body);
  const parsed: BatchInput = { entities: [], actions: [], attributions: [] };
  const issues: z.core.$ZodIssue[] = [];
  const check = ({ list, from, records }: Step, index: number) => {
    const found = batchInputSchema.safeParse({ ...(index === 0 ? others : {}), [list]: records });
    if (found.success) for (const name of LISTS) (parsed[name] as unknown[]).push(...found.data[name]);
    else issues.push(...found.error.issues.map((issue) => moveBy(issue, from)));
  };
  await mapYielding(steps, check, signal);
  if (issues.length > 0) throw bodyFault(new z.ZodError(issues), body);
  return parsed;
}

/**
 * Divides a list into steps. A list that is too long, or a value that is not a list, is one step, because the schema
 * rejects it without a check of its records.
 */
function toSteps(list: Step['list'], records: unknown): Step[] {
  if (!Array.isArray(records) || records.length > MAX_BATCH_RECORDS) return [{ list, from: 0, records }];
  const count = Math.ceil(records.length / STEP);
  return Array.from({ length: count }, (_, index) => ({
    list,
    from: index * STEP,
    records: records.slice(index * STEP, (index + 1) * STEP),
  }));
}

/** Returns the issue with the position of its record in the complete list. */
function moveBy(issue: z.core.$ZodIssue, from: number): z.core.$ZodIssue {
  const [list, at, ...rest] = issue.path;
  return typeof at === 'number' ? { ...issue, path: [list as PropertyKey, at + from, ...rest] } : issue;
}
