import {
  type BatchInput,
  batchInputSchema,
  type DistributionInput,
  distributionInputSchema,
  MAX_BATCH_RECORDS,
  MAX_SENT_RECORDS,
} from '@colophon/model';
import { z } from 'zod';
import { bodyFault, parseBody } from '../../body-fault.js';
import { mapYielding } from '../../platform/work/map-yielding.js';

/** A schema of bodies that have lists of records, and the data to check a part of a list alone. */
interface ListsSchema<Body> {
  schema: z.ZodType<Body>;
  maxRecords: number;
  /** The member of the body that has the lists. Undefined when they are members of the body itself. */
  member?: string;
  /** Values for the required members of the object with the lists: valid, and as short as possible. */
  required?: Record<string, unknown>;
}

/** The body of `POST /v1/batch`. */
const BATCH = { schema: batchInputSchema, maxRecords: MAX_BATCH_RECORDS };
/** The body of `POST /v1/distribution/preview`. */
const PREVIEW = {
  schema: distributionInputSchema,
  maxRecords: MAX_SENT_RECORDS,
  member: 'bundle',
  required: { cid: `sha256:${'0'.repeat(64)}`, actions: [], attributions: [] },
};

const LISTS = ['entities', 'actions', 'attributions'] as const;
type List = (typeof LISTS)[number];
/** Number of records that the schema checks without a pause. For typical records, this takes about a millisecond. */
const STEP = 16;

/** A part of a list: the records from the position `from`. */
interface Part {
  list: List;
  from: number;
  records: unknown[];
}

export const parseBatch = (body: unknown, signal: AbortSignal): Promise<BatchInput> =>
  parseLists(BATCH, body, signal);
export const parsePreview = (body: unknown, signal: AbortSignal): Promise<DistributionInput> =>
  parseLists(PREVIEW, body, signal);

/**
 * Checks a body by its schema, in steps between which other requests run. Throws `ValidationError` like a check in one
 * step, with two differences in `details`: the order can differ, and faults of the whole body can be listed together
 * with faults of records. Rejects with the reason of `signal` when it aborts.
 */
async function parseLists<Body>(
  { schema, maxRecords, member, required = {} }: ListsSchema<Body>,
  body: unknown,
  signal: AbortSignal,
): Promise<Body> {
  const holderOf = (whole: unknown) => Object(member === undefined ? whole : Object(whole)[member]);
  const toBody = (holder: object, others: unknown = {}) =>
    member === undefined ? holder : { ...Object(others), [member]: holder };
  const parts = LISTS.flatMap((list) => divide(list, holderOf(body)[list], maxRecords));
  const laterParts = parts.filter(({ from }) => from > 0);
  if (laterParts.length === 0) return parseBody(schema, body);

  // The first step checks the first part of each list, and all other members.
  const beginnings = parts.filter(({ from }) => from === 0).map(({ list, records }) => [list, records]);
  const steps = [
    { from: 0, part: toBody({ ...holderOf(body), ...Object.fromEntries(beginnings) }, body) },
    ...laterParts.map(({ list, from, records }) => ({
      from,
      part: toBody({ ...required, [list]: records }),
    })),
  ];
  const depth = member === undefined ? 0 : 1;
  const check = ({ from, part }: (typeof steps)[number]) => {
    const { data, error } = schema.safeParse(part);
    // zod creates the issues at the first access. Each step reads its issues, so this work is in steps too.
    return { data, issues: error?.issues.map((issue) => moveIssue(issue, { from, depth })) ?? [] };
  };
  const results = await mapYielding(steps, check, signal);
  const issues = results.flatMap((result) => result.issues);
  if (issues.length > 0) throw bodyFault(new z.ZodError(issues), body);
  const [first, ...later] = results.map(({ data }) => data as Body);
  for (const [index, { list }] of laterParts.entries())
    holderOf(first)[list].push(...holderOf(later[index])[list]);
  return first as Body;
}

/**
 * Divides a list into parts. Returns none for a list that is too long, or a value that is not a list, because the
 * schema rejects it without a check of its records.
 */
function divide(list: List, records: unknown, maxRecords: number): Part[] {
  if (!Array.isArray(records) || records.length > maxRecords) return [];
  return Array.from({ length: Math.ceil(records.length / STEP) }, (_, index) => ({
    list,
    from: index * STEP,
    records: records.slice(index * STEP, (index + 1) * STEP),
  }));
}

/** Returns the issue with its position in the complete list. The path has `depth` names before the list. */
function moveIssue(
  issue: z.core.$ZodIssue,
  { from, depth }: { from: number; depth: number },
): z.core.$ZodIssue {
  const at = issue.path[depth + 1];
  return typeof at === 'number' ? { ...issue, path: issue.path.with(depth + 1, at + from) } : issue;
}
